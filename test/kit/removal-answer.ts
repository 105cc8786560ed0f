/** What the check box of a page sends that asks whether what goes may go; empty where the page asks nothing. */
export function removalAnswer(page: string): string {
  return /name="removes" value="([^"]+)"/.exec(page)?.[1] ?? "";
}
