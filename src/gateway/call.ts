/** One request on its way: what is known of it so far, for whoever has to answer it. */
import type { ClientFormat } from "../core/format.ts";
import type { ClientFormatName } from "../core/format-name.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Holder } from "../workspace/client.ts";
import type { RateState } from "../workspace/contract/admission.ts";
import type { Policy } from "../policy/policy.ts";

export interface Call {
  id: string;
  /** Epoch ms of its arrival. */
  started: number;
  request: Request;
  /** The dialect of the endpoint; errors of every kind are worded in it. */
  dialect: ClientFormat;
  client: ClientFormatName;
  policy: Policy;
  /** A generation endpoint: only there an error may be spoken as an answer. */
  generates: boolean;
  /** Known once the body is read. */
  body?: JsonObject;
  /** Length of the body in characters. */
  size: number;
  holder?: Holder;
  /** Its slot was given back with a log row: no other row is written. */
  booked?: true;
  rate?: RateState;
  routing?: RoutingWords;
}

/** What the routing headers say. */
export interface RoutingWords {
  tier: string;
  model: string;
  provider: string;
  reason: string;
  confidence: number;
  /** 0..1, rises with what a dearer model would gain; only where `auto` decided. */
  score?: number;
}
