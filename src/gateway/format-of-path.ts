/** Which format a path belongs to. */
import type { ClientFormat } from "../core/format.ts";
import { clientFormats } from "../formats/index.ts";

/** The format whose path the address begins with; the one of the lists where there is none. */
export function formatOfPath(url: string): ClientFormat {
  const path = new URL(url).pathname.replace(/^\/v1(?:\/v1)?/, "");
  const named = Object.values(clientFormats).find(
    (client) => path === client.path || path.startsWith(`${client.path}/`),
  );
  return named ?? clientFormats.chat;
}
