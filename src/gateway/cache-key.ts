/** The key by which a provider finds a conversation's prompt in its cache. */
import { sha256 } from "../lib/sha256.ts";
import { statedSession } from "../routing/session/session-key.ts";
import type { Planned } from "./plan.ts";

/** OpenAI refuses more than 64 characters; half of a digest distinguishes conversations just as well. */
const length = 32;

/** Made of what the client calls its session, which the provider does not learn; undefined where it names none. */
export function cacheKeyOf({
  http,
  holder,
  request,
}: Pick<Planned, "http" | "holder" | "request">): string | undefined {
  const { headers } = http;
  const { conversation } = request.description;
  const session = headers.get("x-gateway-session") ?? statedSession({ headers, conversation });
  if (session === undefined || session === "") return undefined;
  const { workspace, harness } = holder;
  return sha256(`${workspace}\n${harness}\n${session}`).slice(0, length);
}
