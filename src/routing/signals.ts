/** What the scorer sees of a request. */
import type { Client } from "./clients.ts";
import type { Signals } from "./features.ts";
import { withoutRoutingTalk } from "./talk.ts";
import { scan } from "./scan.ts";
import type { View } from "./view.ts";

/** The signals of a request from a client; its own tools and the dialogue it keeps by itself do not count. */
export function signalsOf(view: View, client: Client): Signals {
  const known = client.kit > 0;
  return {
    text: scan(withoutRoutingTalk(view.ask)),
    tools: known ? agentTools(view, client) : view.tools,
    asks: known ? 1 : view.asks,
    calls: known ? 0 : view.calls,
    images: view.images,
  };
}

/** An agent at work with its usual kit counts like a request with a few tools; what goes beyond the kit is added. */
function agentTools(view: View, client: Client): number {
  return view.tools === 0 ? 0 : 1 + Math.max(0, view.tools - client.kit);
}
