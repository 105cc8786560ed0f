/** One request on its way: what is known of it so far, for whoever has to answer it. */
import type { ClientDialect, ClientFormat } from "../core/format.ts";
import type { JsonObject } from "../lib/json.ts";
import type { Holder } from "../meter/client.ts";
import type { RateState } from "../meter/contract.ts";
import type { Policy } from "../variants/policy.ts";

export interface Call {
  id: string;
  /** Epoch ms of its arrival. */
  started: number;
  request: Request;
  /** The dialect of the endpoint; errors of every kind are worded in it. */
  dialect: ClientDialect;
  client: ClientFormat;
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
