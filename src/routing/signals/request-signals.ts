/** The signals of a request: what the score is computed from. */
import type { ClientProfile } from "../intent/client.ts";
import type { RoutingView } from "../request/request-view.ts";
import { removeRoutingMentions } from "./routing-mentions.ts";
import { scanText, type TextScan } from "./text-scan.ts";

/** The scanned ask and the shape of the request around it. */
export interface RequestSignals {
  readonly text: TextScan;
  /** Tools offered beyond those that the client always offers. */
  readonly tools: number;
  /** Human messages. */
  readonly asks: number;
  /** Tool calls in the conversation. */
  readonly calls: number;
  readonly images: number;
}

/** Signals of a request. The own tools of a known client and the conversation that it keeps do not count. */
export function requestSignals(view: RoutingView, client: ClientProfile): RequestSignals {
  const isKnown = client.ownTools > 0;
  return {
    text: scanText(removeRoutingMentions(view.ask)),
    tools: isKnown ? toolsBeyondOwn(view, client) : view.tools,
    asks: isKnown ? 1 : view.asks,
    calls: isKnown ? 0 : view.calls,
    images: view.images,
  };
}

/** The client's own tools count as one; every tool beyond them adds one. */
function toolsBeyondOwn(view: RoutingView, client: ClientProfile): number {
  return view.tools === 0 ? 0 : 1 + Math.max(0, view.tools - client.ownTools);
}
