/** The signals of a request: what the score is computed from. */
import type { ClientProfile } from "../intent/client.ts";
import type { RoutingView } from "../request/request-view.ts";
import { removeRoutingMentions } from "./routing-mentions.ts";
import { scanText, type TextScan } from "./text-scan.ts";

/** The scanned ask and the shape of the request around it. */
export interface RequestSignals {
  readonly text: TextScan;
  /** Tools offered; none of an agent's count. */
  readonly tools: number;
  /** Human messages. */
  readonly asks: number;
  /** Tool calls in the conversation. */
  readonly calls: number;
  readonly images: number;
}

/** Signals of a request. The tools of an agent and the conversation that it keeps do not count. */
export function requestSignals(view: RoutingView, client: ClientProfile): RequestSignals {
  const text = scanText(removeRoutingMentions(view.ask));
  const { images } = view;
  return client.isAgent
    ? { text, tools: 0, asks: 1, calls: 0, images }
    : { text, tools: view.tools, asks: view.asks, calls: view.calls, images };
}

/** What a short ask says by itself: with tools at hand, "thanks" and "run the tests" are as easy as without. */
export function withoutSurroundings(signals: RequestSignals): RequestSignals {
  return { ...signals, tools: 0, asks: 1, calls: 0 };
}

/** Tokens of the longest ask whose words are all there is to it; in a dialogue with tools a longer one may be an answer. */
const shortAsk = 6;
const shortAskInDialogue = 4;

/** Whether an ask is short enough to be a chore, a greeting or thanks. */
export function isShortAsk({ text, asks, calls }: RequestSignals): boolean {
  return text.tokens <= (asks > 1 && calls > 0 ? shortAskInDialogue : shortAsk);
}
