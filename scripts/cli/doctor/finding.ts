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

/** Its lines; `base`: where the documentation is served. */
export function findingLines({ level, text, advice, page }: Finding, base: string): string[] {
  const head = `${level.padEnd(4)}  ${text}`;
  if (level === "ok") return [head];
  const advised = advice === undefined ? [] : [`      ${advice}`];
  return [head, ...advised, `      See ${base}/docs/${page ?? usualPage}`];
}

/** Nothing is wrong. */
export function fine(text: string): Finding {
  return { level: "ok", text };
}
