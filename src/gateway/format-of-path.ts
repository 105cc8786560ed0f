/** Which format a request outside all endpoints belongs to. */
import type { ClientFormat } from "../core/format.ts";
import { clientFormats } from "../formats/index.ts";

/**
 * The format whose path the address begins with; where there is none, the one whose clients send their own header (makers
 * use the same paths for files and batches); else the one of the lists.
 */
export function formatOfPath({ url, headers }: Pick<Request, "url" | "headers">): ClientFormat {
  const path = new URL(url).pathname.replace(/^\/v1(?:\/v1)?/, "");
  const all = Object.values(clientFormats);
  const named = all.find((client) => path === client.path || path.startsWith(`${client.path}/`));
  const known = all.find(({ modelListHeader: name }) => name !== undefined && headers.has(name));
  return named ?? known ?? clientFormats.chat;
}
