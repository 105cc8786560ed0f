/** Which format a request belongs to that no endpoint takes. */
import type { ClientFormat } from "../../core/format.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import { clientFormats } from "../../formats/index.ts";
import { isGemini, isGeminiPath } from "../../formats/gemini/request/recognize.ts";

/**
 * The format whose path the address begins with; where there is none, the one whose clients send their own header (makers
 * use the same paths for files and batches); else the one of the lists.
 */
export function formatOf(request: Pick<Request, "url"> & { headers: HeaderReader }): ClientFormat {
  const { pathname } = new URL(request.url);
  if (isGeminiPath(pathname)) return clientFormats.gemini;
  const path = pathname.replace(/^(?:\/v1){0,2}(?=\/|$)/, "");
  const all = Object.values(clientFormats);
  const named = all.find((client) => path === client.path || path.startsWith(`${client.path}/`));
  if (named !== undefined) return named;
  if (isGemini(request)) return clientFormats.gemini;
  const known = all.find(
    ({ modelListHeader: name }) => name !== undefined && request.headers.get(name) !== null,
  );
  return known ?? clientFormats.chat;
}
