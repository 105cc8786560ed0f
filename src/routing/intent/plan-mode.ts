/** Whether an agent plans before it works. */
import type { RoutingView } from "../request/request-view.ts";
import type { ClientProfile } from "./client.ts";

/** Plan mode is announced by the client, never by the human, so only client text is read. */
export function isPlanMode(view: RoutingView, client: ClientProfile): boolean {
  if (client.name === "unknown") return false;
  // Client text is in the order of the conversation: the last announcement holds.
  const text = view.clientText.toLowerCase();
  const on = Math.max(...planModeOn.map((words) => text.lastIndexOf(words)));
  const off = Math.max(...planModeOff.map((words) => text.lastIndexOf(words)));
  return on > off;
}

const planModeOn = ["plan mode is active", "plan mode still active", "# plan mode"];
const planModeOff = ["exited plan mode", "# default mode", "# collaboration mode: default"];
