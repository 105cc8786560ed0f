/** What the grammar checkers share: events of a stream of ours, loose JSON, verdicts. */

export interface Verdict {
  /** How the stream ended; `open` when it just stopped. */
  ended: "normal" | "error" | "open";
  /** Broken rules, in the order of the stream. */
  broken: string[];
}

export interface WireEvent {
  event: string | undefined;
  data: string;
}

/** What a grammar needs to know of the request. */
export interface GrammarOptions {
  wantsUsage: boolean;
}

/** The events of a stream of ours: blank-line separated, LF only, at most one data line each; comments are skipped. */
export function wireEvents(text: string, broken: string[]): WireEvent[] {
  if (text === "") return [];
  if (!text.endsWith("\n\n")) broken.push("the stream does not end with a blank line");
  if (text.includes("\r")) broken.push("a carriage return in the stream");
  const events: WireEvent[] = [];
  for (const block of text.split("\n\n")) {
    if (block === "") continue;
    let event: string | undefined;
    const data: string[] = [];
    for (const line of block.split("\n")) {
      if (line.startsWith(":")) continue;
      if (line.startsWith("event: ")) event = line.slice(7);
      else if (line.startsWith("data: ")) data.push(line.slice(6));
      else broken.push(`an odd line: ${line.slice(0, 60)}`);
    }
    if (data.length > 1) broken.push("several data lines in one event");
    if (data.length > 0) events.push({ event, data: data.join("\n") });
    else if (event !== undefined) broken.push("an event without data");
  }
  return events;
}

type Loose = Record<string, unknown>;

export function parsed(data: string, broken: string[]): Loose {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Loose; // an object: any members
  } catch {
    // Named below.
  }
  broken.push(`data is no JSON object: ${data.slice(0, 60)}`);
  return {};
}

/** A member as an object, empty if it is none. */
export function sub(value: unknown, name: string): Loose {
  const found = typeof value === "object" && value !== null ? (value as Loose)[name] : undefined;
  return typeof found === "object" && found !== null ? (found as Loose) : {};
}

export function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
