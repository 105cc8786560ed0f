/**
 * Reasoning that clients of a format may not bring back: sealed, and handed to the workspace with the settlement; put
 * into a later request from what came with its admission.
 */
import type { ModelRequest } from "../core/request.ts";
import { targetOf } from "../providers/connection/target.ts";
import { open, seal, type SealPlace } from "../store/seal.ts";
import {
  callsWithoutReasoning,
  readKeptReasoning,
  reasoningGatherer,
  withKeptReasoning,
  writeKeptReasoning,
  type ReasoningGatherer,
} from "../translation/kept-reasoning.ts";
import type { ClientRequest } from "../upstream/client-request.ts";
import type { Prepared } from "../upstream/upstream.ts";
import {
  longestReasoningCall,
  mostReasoningAsked,
  type SealedReasoning,
} from "../workspace/contract/sealed-reasoning.ts";
import type { Decided } from "./choose.ts";
import type { ExchangeOutcome } from "./outcome.ts";
import type { Planned } from "./plan.ts";
import type { Services } from "./services.ts";

type Asking = Pick<Planned, "client" | "request" | "plan">;
type Keeping = Pick<Services, "keyring">;

/** The calls whose reasoning is requested from the workspace; undefined if there are none, or no provider would get it. */
export function reasoningAsked({ client, request, plan }: Asking): string[] | undefined {
  if (!mayLose({ client, request })) return undefined;
  const { stream } = request.description;
  const isTranslated = plan.candidates.some(
    (model) => targetOf(model, client.name, stream).format !== client.name,
  );
  const calls = isTranslated ? callsIn(request) : [];
  return calls.length === 0 ? undefined : calls.slice(-mostReasoningAsked);
}

/** A client that brought some state back keeps what it is given. */
function mayLose({ client, request }: Pick<Planned, "client" | "request">): boolean {
  return client.losesReasoning === true && !request.tagged;
}

function callsIn(request: ClientRequest): string[] {
  try {
    return callsWithoutReasoning(request.inHub()).filter(
      (call) => call !== "" && call.length <= longestReasoningCall,
    );
  } catch {
    // What only a relay can forward is forwarded all the same.
    return [];
  }
}

/** The request with the reasoning that its admission brought, for providers whose format is not the client's. */
export async function withReasoning(
  { request, admission, holder }: Pick<Decided, "request" | "admission" | "holder">,
  { keyring }: Keeping,
): Promise<ClientRequest> {
  const sealed = Object.entries(admission.reasoning ?? {});
  if (sealed.length === 0) return request;
  const ring = await keyring();
  const texts = await Promise.all(
    sealed.map(([call, text]) => open(text, placeOf(holder, call), ring)),
  );
  const kept = texts.flatMap((text) => (text === undefined ? [] : (readKeptReasoning(text) ?? [])));
  let read: ModelRequest | undefined;
  return { ...request, inHub: () => (read ??= withKeptReasoning(request.inHub(), kept)) };
}

/** Gathers an answer's reasoning where its client may lose it; undefined for relays, which reach it as they are. */
export function gathererFor(
  { client, request }: Pick<Planned, "client" | "request">,
  { relay }: Pick<Prepared, "relay">,
): ReasoningGatherer | undefined {
  return relay || !mayLose({ client, request }) ? undefined : reasoningGatherer();
}

/** What the settlement of that exchange gives the workspace to keep. */
export async function sealedReasoning(
  outcome: ExchangeOutcome,
  { keyring }: Keeping,
): Promise<SealedReasoning | undefined> {
  if (outcome.kind !== "answered" || outcome.end.kind !== "done") return undefined;
  const kept = outcome.totals.reasoning?.gathered();
  if (kept === undefined) return undefined;
  const { call } = kept;
  const place = placeOf(outcome.decided.holder, call);
  return { call, sealed: await seal(writeKeptReasoning(kept), place, await keyring()) };
}

/** Nothing that one key was given opens for another. */
function placeOf({ workspace, keyId }: Decided["holder"], call: string): SealPlace {
  return { workspace, provider: keyId, field: `reasoning ${call}` };
}
