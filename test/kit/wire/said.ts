/** What a provider of any format is made to say: neutral words of the tests' own, written out by the formats here. */

export interface Said {
  thinking?: { text: string; state: string };
  text?: string;
  calls?: SaidCall[];
  usage?: { input: number; cached: number; output: number };
}

export interface SaidCall {
  id: string;
  name: string;
  /** JSON text, or free text for a custom tool. */
  input: string;
  namespace?: string;
  custom?: boolean;
}

export type WireFormat = "chat" | "responses" | "messages" | "gemini";

/** How one format writes it, whole and as server-sent events. */
export interface Endpoint {
  whole(said: Said, model: string): object;
  events(said: Said, model: string): string[];
}

export const usualUsage = { input: 100, cached: 20, output: 30 };

/** A text in pieces, cut without regard to words; a surrogate pair is never cut, for JSON could not carry it. */
export function pieces(text: string, length = 12): string[] {
  const points = Array.from(text);
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += length)
    parts.push(points.slice(at, at + length).join(""));
  return parts;
}
