/** The gateway's calls to the workspaces' objects and to the counters of client addresses. */
import { problemCodes } from "../../core/problem.ts";
import type { SpendState } from "../../core/spend.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Env } from "../../store/env.ts";
import type {
  AdmitAnswer,
  AdmitRequest,
  ForeseeRequest,
  Foresight,
  StaleAnswer,
} from "../contract/admission.ts";
import { type CountedCaller, countAddress, uncountAddress } from "./count-address.ts";
import type { AddressAnswer, Caller, Standing } from "../contract/address.ts";
import type { Outcomes } from "../contract/outcomes.ts";
import { boundedRecord } from "../contract/record-limits.ts";
import type { RequestRecord } from "../contract/request-record.ts";
import type { SealedReasoning } from "../contract/sealed-reasoning.ts";
import {
  askHolder,
  distrustKey,
  type Holder,
  identifyHolder,
  knownHolder,
  renewedHolder,
  standingOf,
} from "./holders.ts";
import { Memory } from "../memory.ts";
import { isDeletedWorkspaceError } from "../storage/tables/erasure-mark.ts";
import type { RequestEnd } from "../contract/request-end.ts";
import { askAdmission, bookAllEnded, bookLater, bookNow } from "./ended-requests.ts";
import { onWorkspace } from "./on-workspace.ts";
import { hasRoomFor, onAdmittingWorkspace } from "../remote.ts";

export type { Caller, Standing } from "../contract/address.ts";
export type { CountedCaller } from "./count-address.ts";
export type { Holder } from "./holders.ts";
export { renewInterval } from "../rules/lease.ts";

/**
 * The gateway's view of all workspaces. Every call throws when its object cannot be reached, and M501 where too many
 * workspaces are in use; `renew`, `settle` and `log` are never refused.
 */
export interface Workspaces {
  /** The holder of a key that was found good and is remembered; memory only. */
  known(keyText: string): Holder | undefined;
  /** The key's holder; M003 not a key, M004 expired, M005 unknown or revoked. Throws if it can't be looked up: such a call must not pass. */
  identify(keyText: string): Promise<Holder | "M003" | "M004" | "M005">;
  /**
   * The holder as the object knows it. To be asked before anything is refused for what the document does
   * not hold (M101, M302): the remembered one may be old.
   */
  refresh(holder: Holder): Promise<Holder | "M004" | "M005">;
  /** In which window of its address a request with that key is counted; no call, memory and arithmetic. */
  standingOf(keyText: string): Promise<Standing>;
  /** The workspace refused this key: until it is found good again, its requests are those of a stranger. */
  distrust(keyHash: string): void;
  /** Counts a request of the client's address (M202). A counter that cannot be reached lets it pass. */
  countAddress(caller: Caller): AddressAnswer | Promise<AddressAnswer>;
  /** The request was refused with M200 to M204: it counts for the address neither. */
  uncountAddress(counted: CountedCaller): void | Promise<void>;
  /** What the last admission returned for a harness that learns from outcomes. */
  outcomes(holder: Pick<Holder, "workspace" | "harness">): Outcomes | undefined;
  /** The counts as the object knows them. */
  freshOutcomes(holder: Pick<Holder, "workspace" | "harness">): Promise<Outcomes>;
  /** What a request would meet at admission; nothing is counted. */
  foresee(workspace: string, request: ForeseeRequest): Promise<Foresight>;
  /** The holder, read again because admission said that the known one is old. */
  renewed(holder: Holder, answer: StaleAnswer): Holder;
  /** The limits of money of the key and its person, as clients show them. */
  spend(holder: Pick<Holder, "workspace" | "keyHash">): Promise<SpendState[]>;
  /**
   * One call, memory only. `mayWait`: the harness lets requests wait for a slot, so that the answer may take as long. The
   * caller renews the lease every `renewInterval` ms and settles it.
   */
  admit(workspace: string, request: AdmitRequest, mayWait?: boolean): Promise<AdmitAnswer>;
  /** The request waits for its slot no more; nothing where it does not wait. */
  leaveLine(workspace: string, requestId: string): Promise<void>;
  /** Renews the lease of a running request. Without renewal it ends after three times `renewInterval`. */
  renew(workspace: string, leaseId: string): Promise<void>;
  /**
   * Ends the lease with the record's id and books the request; safe to call twice. `reasoning` is kept for the request's
   * key, and given back by `admit`.
   */
  settle(workspace: string, record: RequestRecord, reasoning?: SealedReasoning): Promise<void>;
  /**
   * Settles the request, or writes the row of a refused one, behind its answer: every later call of this isolate finds it
   * booked. A promise, for which the answer's end has to wait, where too many wait to be booked. Refused requests have
   * no row where the workspace itself has no room (M501).
   */
  bookLater(
    workspace: string,
    ended: RequestEnd,
    waitUntil: WaitUntilBooked,
  ): Promise<void> | undefined;
  /** Done when everything is booked that was left for later. */
  bookAll(): Promise<void>;
}

/** Keeps work running after a response. */
type WaitUntilBooked = (work: Promise<unknown>) => void;

/** By workspace and harness. */
const knownOutcomes = new Memory<Outcomes>(2000);

/** The workspaces behind these bindings. */
export function workspacesOf(env: Env, policy: Policy): Workspaces {
  return {
    known: knownHolder,
    identify: (keyText) => identifyHolder(env, keyText),
    refresh: (holder) => askHolder(env, holder),
    standingOf: (keyText) => standingOf(env, keyText),
    distrust: distrustKey,
    countAddress: (caller) => countAddress(env, policy, caller),
    uncountAddress: (counted) => uncountAddress(env, counted),
    outcomes: ({ workspace, harness }) => knownOutcomes.get(outcomesName(workspace, harness)),
    freshOutcomes: ({ workspace, harness }) =>
      onWorkspace(env, workspace, (stub) => stub.outcomes(harness)),
    foresee: (workspace, request) => onWorkspace(env, workspace, (stub) => stub.foresee(request)),
    renewed: renewedHolder,
    spend: ({ workspace, keyHash }) =>
      onWorkspace(env, workspace, (stub) => stub.spendStates(keyHash)),
    admit: (workspace, request, mayWait = false) => admit(env, { workspace, request }, mayWait),
    leaveLine: (workspace, requestId) =>
      onAdmittingWorkspace(env, workspace, (stub) => stub.leaveLine(requestId)).catch(
        nothingWhereDeleted,
      ),
    renew: (workspace, leaseId) =>
      onAdmittingWorkspace(env, workspace, (stub) => stub.renewLate(leaseId)).catch(
        nothingWhereDeleted,
      ),
    settle: (workspace, record, reasoning) =>
      bookNow(env, workspace, settled(boundedRecord(record), reasoning)),
    bookLater: (workspace, ended, waitUntil) => {
      if (ended.kind === "refused" && !hasRoomFor(env, workspace)) return undefined;
      const bounded = { ...ended, record: boundedRecord(ended.record) };
      return bookLater(env, { workspace, ended: bounded }, waitUntil);
    },
    bookAll: () => bookAllEnded(env),
  };
}

function settled(record: RequestRecord, reasoning: SealedReasoning | undefined): RequestEnd {
  return { kind: "settled", record, ...(reasoning !== undefined && { reasoning }) };
}

async function admit(
  env: Env,
  asked: { workspace: string; request: AdmitRequest },
  mayWait: boolean,
): Promise<AdmitAnswer> {
  try {
    const answer = await askAdmission(env, asked, mayWait);
    keepOutcomes(asked, answer);
    return answer;
  } catch (error) {
    return refusedWhereDeleted(error);
  }
}

function keepOutcomes(
  { workspace, request }: { workspace: string; request: AdmitRequest },
  answer: AdmitAnswer,
): void {
  if (answer.verdict === "admitted" && answer.outcomes !== undefined)
    knownOutcomes.set(outcomesName(workspace, request.harness), answer.outcomes);
}

/** A deleted workspace has no keys. */
function refusedWhereDeleted(error: unknown): AdmitAnswer {
  if (!isDeletedWorkspaceError(error)) throw error;
  return { verdict: "refused", refusal: { code: problemCodes.unknownKey }, rate: null };
}

/** A request that outlives its workspace is booked nowhere. */
function nothingWhereDeleted(error: unknown): void {
  if (!isDeletedWorkspaceError(error)) throw error;
}

function outcomesName(workspace: string, harness: string): string {
  return `${workspace} ${harness}`;
}
