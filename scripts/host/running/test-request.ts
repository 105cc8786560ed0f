/** One short request in a client's own format, to see that a gateway answers. */
import { printable } from "../printable.ts";

/** The formats that clients speak. */
export type WireFormat = "chat" | "responses" | "messages" | "gemini";

/** Where to, and as whom. */
export interface TestRequest {
  readonly format: WireFormat;
  /** As the client's setting says it: with `/v1` where the client expects that. */
  readonly base: string;
  readonly key: string;
  readonly model: string;
}

/** How it ended. */
export type TestAnswer =
  | { readonly ok: true; readonly model: string }
  | { readonly ok: false; readonly message: string };

const patience = 60_000;
const question = "Reply with the word OK.";

/** Sends it and reads the answer's model. */
export async function sendTestRequest(request: TestRequest): Promise<TestAnswer> {
  const { url, body } = shapes[request.format](request);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: headersOf(request),
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    });
    const text = await answer.text();
    if (!answer.ok) return { ok: false, message: `${answer.status} ${printable(messageOf(text))}` };
    return { ok: true, model: printable(modelOf(text) ?? request.model) };
  } catch (error) {
    return { ok: false, message: `${url}: ${causeOf(error)}` };
  }
}

const shapes: Record<WireFormat, (request: TestRequest) => { url: string; body: object }> = {
  chat: ({ base, model }) => ({
    url: `${base}/chat/completions`,
    body: { model, messages: [{ role: "user", content: question }] },
  }),
  responses: ({ base, model }) => ({ url: `${base}/responses`, body: { model, input: question } }),
  messages: ({ base, model }) => ({
    url: `${base}/v1/messages`,
    body: { model, max_tokens: 1024, messages: [{ role: "user", content: question }] },
  }),
  gemini: ({ base, model }) => ({
    url: `${base}/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: { contents: [{ role: "user", parts: [{ text: question }] }] },
  }),
};

function headersOf({ format, key }: TestRequest): Record<string, string> {
  const json = { "content-type": "application/json" };
  if (format === "gemini") return { ...json, "x-goog-api-key": key };
  const bearer = { ...json, authorization: `Bearer ${key}` };
  return format === "messages" ? { ...bearer, "anthropic-version": "2023-06-01" } : bearer;
}

function modelOf(text: string): string | undefined {
  const value = parsed(text);
  const model = value?.["model"] ?? value?.["modelVersion"];
  return typeof model === "string" ? model : undefined;
}

function messageOf(text: string): string {
  const error = parsed(text)?.["error"];
  const message =
    typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return (typeof message === "string" ? message : text).slice(0, 300);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Members of an object that was just parsed.
    return typeof value === "object" && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The system's own words: `fetch failed` alone says nothing. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof TypeError ? error.cause : undefined;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
