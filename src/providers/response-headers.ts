/** What a caller may see of the headers of a provider's answer. */
import { readRetryAfter } from "./faults.ts";

/** Names under which providers give their request's id, and the name under which callers see it. */
const requestIds = [
  "x-request-id",
  "request-id",
  "x-amzn-requestid",
  "apim-request-id",
  "x-goog-request-id",
];
export const providerRequestId = "x-provider-request-id";

/** Of a provider's headers only what a caller may see: its id for the request, renamed, and when to come back. */
export function responseHeaders(response: Response): Headers {
  const headers = new Headers();
  const id = requestIds
    .map((name) => response.headers.get(name))
    .find((value) => value !== null && value !== "");
  if (id !== undefined && id !== null) headers.set(providerRequestId, id.slice(0, 200));
  const retryAfter = readRetryAfter(response.headers, Date.now());
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  return headers;
}
