/** How a client wants the gateway's own errors: as answers that it shows, or with the status that it acts on. */
import type { ErrorDelivery } from "../policy/policy.ts";
import type { Identified } from "./identify.ts";
import type { Received } from "./received.ts";

/**
 * By the harness's setting; rendered as answers unless it says otherwise. A person who was signed in from Claude Code is
 * shown there how much of their limits is used, and a refusal by its status.
 */
export function errorDelivery({
  holder,
  http,
  socket,
  operation,
}: Pick<Identified, "holder" | "http" | "socket" | "operation">): ErrorDelivery {
  // An error that is rendered as an answer would be no vector, image or sound.
  if (socket !== undefined || operation !== undefined) return "status";
  const { snapshot, harness, terms } = holder;
  if (terms.person !== undefined && claudeCode.test(agentOf(http))) return "status";
  const entry = snapshot.config.harnesses?.find(({ id }) => id === harness);
  return entry?.errors ?? "spoken";
}

const claudeCode = /^claude-cli\//;
/** Claude Code, Codex and Gemini CLI ask for a new key, or for another model, when they are told so by a status. */
const actingClients = [claudeCode, /^codex[_-]/, /^GeminiCLI\b/];
/** A key that is not good; a model that is not there. */
const actedOn: ReadonlySet<number> = new Set([401, 404]);

/** Whether the client, by its user agent, acts on that status, so that it always gets it as a status. */
export function actsOn(status: number, { http }: Pick<Received, "http">): boolean {
  return actedOn.has(status) && actingClients.some((client) => client.test(agentOf(http)));
}

function agentOf(http: Request): string {
  return http.headers.get("user-agent") ?? "";
}
