/** Where a searched text is in a request, with some words around it. Pure. */
import type { RequestView } from "../../admin/routes/requests/request-view.ts";

/** A place where the text was found. */
export interface FoundText {
  /** What holds it, in words: `error`. */
  readonly where: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Characters that are shown on each side of a match. */
const around = 48;

/** The first place in the order in which people look: errors, texts, models, ids. Undefined where there is none. */
export function foundText(request: RequestView, wanted: string): FoundText | undefined {
  if (wanted === "") return undefined;
  for (const [where, text] of searched(request)) {
    const at = indexIn(text ?? "", wanted);
    if (at >= 0) return { where, ...cutRound(text ?? "", at, wanted.length) };
  }
  return undefined;
}

type Searched = readonly (readonly [where: string, text: string | null | undefined])[];

function searched(request: RequestView): Searched {
  const { attempts, text } = request;
  return [
    ["error", request.error],
    ...attempts.map(({ error }) => ["error of an attempt", error] as const),
    ["request", text?.request],
    ["response", text?.answer],
    ["model", request.model],
    ["requested model", request.requested_model],
    ...attempts.map(({ model }) => ["model tried", model] as const),
    ["id", request.id],
    ["session", request.session],
    ["agent", request.agent],
    ["key", request.key],
    ["key id", request.key_id],
    ...Object.entries(request.tags ?? {}).map(
      ([name, value]) => ["tag", `${name}=${value}`] as const,
    ),
  ];
}

/** In any letter case; -1 also where lower case has another length, so that no wrong letters are shown as the match. */
function indexIn(text: string, wanted: string): number {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower.indexOf(wanted.toLowerCase()) : text.indexOf(wanted);
}

function cutRound(text: string, at: number, length: number): Omit<FoundText, "where"> {
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, at + length + around);
  return {
    before: (from > 0 ? "…" : "") + text.slice(from, at),
    match: text.slice(at, at + length),
    after: text.slice(at + length, to) + (to < text.length ? "…" : ""),
  };
}
