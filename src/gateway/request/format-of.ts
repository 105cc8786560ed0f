/** Which format a request belongs to that no endpoint takes. */
import type { ClientFormat } from "../../core/format.ts";
import { clientFormats } from "../../formats/index.ts";
import { isGemini } from "../../formats/gemini/request/recognize.ts";

/**
 * The format whose path the address begins with; where there is none, the one whose clients send their own header (makers
 * use the same paths for files and batches); else the one of the lists.
 */
export function formatOf(request: Request): ClientFormat {
  if (isGemini(request)) return clientFormats.gemini;
  const path = new URL(request.url).pathname.replace(/^(?:\/v1){0,2}(?=\/|$)/, "");
  const all = Object.values(clientFormats);
  const named = all.find((client) => path === client.path || path.startsWith(`${client.path}/`));
  const known = all.find(
    ({ modelListHeader: name }) => name !== undefined && request.headers.has(name),
  );
  return named ?? known ?? clientFormats.chat;
}
