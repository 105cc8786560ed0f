/** The grammar of Gemini's chunks: one line of JSON each, nothing else, since clients stumble over comments and names. */
import {
  isCount,
  parsed,
  sub,
  wireEvents,
  type GrammarOptions,
  type Verdict,
} from "./grammar-reading.ts";

type Loose = Record<string, unknown>;

export function checkGemini(text: string, _options: GrammarOptions): Verdict {
  const broken: string[] = [];
  let ended: Verdict["ended"] = "open";
  if (/^(?!data: |$)/m.test(text)) broken.push("a line that is no data");
  for (const { event, data } of wireEvents(text, broken)) {
    if (event !== undefined) broken.push("a named event");
    if (ended !== "open") broken.push("something after the end");
    const body = parsed(data, broken);
    if (body["error"] !== undefined) {
      checkError(sub(body, "error"), broken);
      ended = "error";
    } else if (checkChunk(body, broken)) ended = "normal";
  }
  return { ended, broken };
}

/** `code` as a number is what makes clients throw. */
function checkError(error: Loose, broken: string[]): void {
  const { code, message, status } = error;
  if (typeof code !== "number" || code < 400 || code > 599) broken.push("an error without a code");
  if (typeof message !== "string") broken.push("an error without a message");
  if (typeof status !== "string") broken.push("an error without a status");
}

/** Whether the chunk is the last. An empty one keeps the connection alive. */
function checkChunk(body: Loose, broken: string[]): boolean {
  const [candidate, ...others] = listOf(body, "candidates");
  if (others.length > 0) broken.push("several candidates");
  if (body["usageMetadata"] !== undefined) checkUsage(sub(body, "usageMetadata"), broken);
  for (const part of listOf(sub(candidate, "content"), "parts")) checkPart(part as Loose, broken);
  const reason = sub({ candidate }, "candidate")["finishReason"];
  if (reason === undefined) return sub(body, "promptFeedback")["blockReason"] !== undefined;
  if (typeof reason !== "string") broken.push("a finish reason that is no word");
  return true;
}

function checkPart(part: Loose, broken: string[]): void {
  const kinds = ["text", "functionCall", "inlineData", "fileData"].filter((name) => name in part);
  if (kinds.length !== 1) broken.push(`a part of ${kinds.length} kinds`);
  const call = sub(part, "functionCall");
  if ("functionCall" in part) {
    if (typeof call["name"] !== "string" || call["name"] === "") broken.push("a call without name");
    if (typeof call["id"] !== "string" || call["id"] === "") broken.push("a call without id");
    if (typeof call["args"] !== "object" || Array.isArray(call["args"]))
      broken.push("a call whose arguments are no object");
  }
  const signature = part["thoughtSignature"];
  if (signature !== undefined && !isBase64(signature)) broken.push("a signature not in base64");
}

function isBase64(value: unknown): boolean {
  return typeof value === "string" && value !== "" && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function checkUsage(usage: Loose, broken: string[]): void {
  for (const [name, value] of Object.entries(usage))
    if (name.endsWith("Count") && !isCount(value)) broken.push(`${name} is no count`);
}

function listOf(body: unknown, name: string): unknown[] {
  const value = typeof body === "object" && body !== null ? (body as Loose)[name] : undefined;
  return Array.isArray(value) ? value : [];
}
