/** The ids that clients give their sessions, agents and prompts. */
import type { HeaderReader } from "../../lib/header-reader.ts";
import { statedAgent } from "../../routing/intent/stated-role.ts";
import { statedSession } from "../../routing/session/session-key.ts";
import type { RequestRecord } from "../../workspace/contract/request-record.ts";

const longestId = 200;

type ClientIds = Pick<RequestRecord, "session_id" | "agent" | "parent_agent" | "prompt">;

/** As the client states them in its headers or, for the session, in its body. */
export function clientIds(headers: HeaderReader, conversation: string | undefined): ClientIds {
  const session = readableId(headers.get("x-gateway-session"));
  const session_id = session ?? readableId(statedSession({ headers, conversation }));
  const agent = readableId(statedAgent(headers));
  const parent = readableId(firstOf(headers, parentHeaders));
  const prompt = readableId(firstOf(headers, promptHeaders));
  return {
    ...(session_id !== undefined && { session_id }),
    ...(agent !== undefined && { agent }),
    ...(parent !== undefined && { parent_agent: parent }),
    ...(prompt !== undefined && { prompt }),
  };
}

/** In which Claude Code, Codex and opencode name the agent or session that delegated the task. */
const parentHeaders = [
  "x-claude-code-parent-agent-id",
  "x-codex-parent-thread-id",
  "x-parent-session-id",
];
/** In which Claude Code and Codex name the user's prompt that a request works on. */
const promptHeaders = ["x-claude-code-prompt-id", "turn_id"];

function firstOf(headers: HeaderReader, names: readonly string[]): string | null {
  for (const name of names) {
    const id = headers.get(name);
    if (id !== null) return id;
  }
  return null;
}

/** Without control characters, and those that turn the direction of what is read; cut; undefined where nothing is left. */
function readableId(text: string | null | undefined): string | undefined {
  // A long text is cut first: it may be as long as a body.
  const id = (text ?? "")
    .slice(0, 2 * longestId)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "")
    .trim()
    .slice(0, longestId)
    .toWellFormed();
  return id === "" ? undefined : id;
}
