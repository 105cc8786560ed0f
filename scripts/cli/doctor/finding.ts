/** What a check of `gateway doctor` has found. */

export interface Finding {
  readonly level: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Page of the documentation, with its heading. */
  readonly page?: string;
}

/** What to read where no check names a page of its own. */
const usualPage = "troubleshooting";

/** Its lines; `base`: the gateway that serves the documentation, where one was found. */
export function findingLines(
  { level, text, advice, page }: Finding,
  base: string | undefined,
): string[] {
  const head = `${level.padEnd(4)}  ${text}`;
  if (level === "ok") return [head];
  const advised = advice === undefined ? [] : [`      ${advice}`];
  const address = `/docs/${page ?? usualPage}`;
  const see = base === undefined ? `${address} of any running gateway` : base + address;
  return [head, ...advised, `      See ${see}`];
}

/** Nothing is wrong. */
export function fine(text: string): Finding {
  return { level: "ok", text };
}
