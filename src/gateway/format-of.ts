/** Which format a request belongs to that no endpoint takes. */
import type { ClientFormat } from "../core/format.ts";
import { clientFormats } from "../formats/index.ts";
import { isGemini } from "../formats/gemini/request/recognize.ts";

/** The format whose path the address begins with; the one of the lists where there is none. */
export function formatOf(request: Request): ClientFormat {
  if (isGemini(request)) return clientFormats.gemini;
  const path = new URL(request.url).pathname.replace(/^(?:\/v1){0,2}(?=\/|$)/, "");
  const named = Object.values(clientFormats).find(
    (client) => path === client.path || path.startsWith(`${client.path}/`),
  );
  return named ?? clientFormats.chat;
}
