/** The text in a gateway's response, as far as the playground shows it while it streams. */

/** Where an event of each format has its text. */
const deltas: Readonly<Record<string, (event: unknown) => unknown>> = {
  chat: (event) => member(member(member(member(event, "choices"), 0), "delta"), "content"),
  gemini: (event) => geminiText(member(member(event, "candidates"), 0)),
  messages: (event) => member(member(event, "delta"), "text"),
  responses: (event) =>
    member(event, "type") === "response.output_text.delta" ? member(event, "delta") : undefined,
};

/** A chunk may hold several parts; thoughts are none of the answer. */
function geminiText(candidate: unknown): string {
  const parts = member(member(candidate, "content"), "parts");
  if (!Array.isArray(parts)) return "";
  return parts
    .map((part) => (member(part, "thought") === true ? "" : (member(part, "text") ?? "")))
    .join("");
}

/** The text or the error message that one line of an event stream adds; empty for all other lines. */
export function eventText(line: string, format: string): string {
  if (!line.startsWith("data:")) return "";
  const event = parseJson(line.slice(5));
  const text = deltas[format]?.(event);
  if (typeof text === "string" && text !== "") return text;
  const message = errorMessage(event);
  return message === undefined ? "" : `\n${message}`;
}

/** The error message of a whole response, or all of its text where it holds none. */
export function errorText(body: string): string {
  return errorMessage(parseJson(body)) ?? body;
}

function errorMessage(value: unknown): string | undefined {
  const message = member(member(value, "error"), "message");
  return typeof message === "string" && message !== "" ? message : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
