/** The header by which browsers ask whether their copy still holds. */

/** Whether it names the tag. Strangers send it, as long as a header may be: no pattern is searched for in it. */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header?.split(",").some((one) => one.trim() === tag) === true;
}
