/** A request that ended, on its way to its workspace's object. It crosses RPC as JSON text, which costs half of a copied object. */
import type { AdmitRequest } from "./admission.ts";
import type { RequestRecord } from "./request-record.ts";
import type { SealedReasoning } from "./sealed-reasoning.ts";

/** An admitted request, whose slot is freed and whose use is booked, or one that was refused and has a row alone. */
export type RequestEnd =
  | {
      readonly kind: "settled";
      readonly record: RequestRecord;
      /** Kept for the request's key, and given back by admission. */
      readonly reasoning?: SealedReasoning;
    }
  | { readonly kind: "refused"; readonly record: RequestRecord };

/** The same, as it is sent. */
export interface SentRequest {
  readonly ended: RequestEnd;
  /** It was sent before, and may be booked already. */
  readonly again?: true;
}

/** A question for admission, with what ended before it: that is booked first. */
export interface AdmissionCall {
  readonly request: AdmitRequest;
  readonly ended?: readonly SentRequest[];
}
