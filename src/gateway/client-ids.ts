/** The ids that clients give their sessions and agents. */
import { statedSession } from "../routing/session/session-key.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";

const longestId = 200;
/** In which Claude Code names a subagent. */
const agentHeader = "x-claude-code-agent-id";

/** As the client states them in its headers or, for the session, in its body. */
export function clientIds(
  headers: Headers,
  conversation: string | undefined,
): Pick<RequestRecord, "session_id" | "agent"> {
  const session = readableId(headers.get("x-gateway-session") ?? undefined);
  const session_id = session ?? readableId(statedSession({ headers, conversation }));
  const agent = readableId(headers.get(agentHeader) ?? undefined);
  return {
    ...(session_id !== undefined && { session_id }),
    ...(agent !== undefined && { agent }),
  };
}

/** Without control characters, and those that turn the direction of what is read; cut; undefined where nothing is left. */
function readableId(text: string | undefined): string | undefined {
  // A long text is cut first: it may be as long as a body.
  const id = (text ?? "")
    .slice(0, 2 * longestId)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "")
    .trim()
    .slice(0, longestId)
    .toWellFormed();
  return id === "" ? undefined : id;
}
