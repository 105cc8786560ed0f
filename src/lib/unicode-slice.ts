/** Where a text may be cut: a pair of surrogates stays together, as alone each would become another character. */
export function characterEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff && end < text.length ? end + 1 : end;
}
