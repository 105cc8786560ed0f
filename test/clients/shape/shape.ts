/**
 * The shape of what a client sends: names of headers, query parameters and fields with their types. Values are kept only
 * where they come from a small set that says how the protocol is used, so that a shape holds no prompts, keys or paths.
 */
import { bodyShape, type FieldShape } from "./body-shape.ts";
import type { Sent } from "./recorder.ts";

/** What a client sends to one path. */
export interface EndpointShape {
  /** By name; the values of headers that name versions, betas and media types. */
  headers: Record<string, string[]>;
  query: string[];
  /** By path, like `messages[].content[].type`. */
  body: Record<string, FieldShape>;
}

/** By method and path. */
export type ClientShape = Record<string, EndpointShape>;

/** Written by every HTTP library as it likes. */
const ofTheConnection = new Set(["host", "connection", "content-length", "accept-language"]);
const toldHeaders = new Set([
  "accept", "content-type", "anthropic-version", "anthropic-beta", "openai-beta", "x-app", "upgrade",
  "x-codex-beta-features", "x-initiator", "x-interaction-type", "x-stainless-helper-method",
]); // prettier-ignore

/** The shape of all these requests. `model`: the name in paths that is the test's own. */
export function shapeOf(sent: readonly Sent[], model: string): ClientShape {
  const shape: ClientShape = {};
  for (const request of sent) {
    const url = new URL(request.path, "http://gateway");
    const place = decodeURIComponent(url.pathname).replace(model, "{model}");
    const name = `${request.method} ${place}`;
    const before = shape[name] ?? { headers: {}, query: [], body: {} };
    shape[name] = {
      headers: sorted({ ...before.headers, ...headersOf(request, before) }),
      query: unique([...before.query, ...url.searchParams.keys()]),
      body: sorted(bodyShape(request.text, before.body)),
    };
  }
  return sorted(shape);
}

function headersOf({ headers }: Sent, before: EndpointShape): Record<string, string[]> {
  const names = Object.entries(headers).filter(([name]) => !ofTheConnection.has(name));
  return Object.fromEntries(
    names.map(([name, value]) => {
      const values = toldHeaders.has(name) ? value.split(/,\s*/) : [];
      return [name, unique([...(before.headers[name] ?? []), ...values])];
    }),
  );
}

function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
