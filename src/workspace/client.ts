/** What the gateway asks of the workspaces' objects and of the counters of client addresses. */
import type { Policy } from "../policy/policy.ts";
import type { Env } from "../store/env.ts";
import type { AdmitAnswer, AdmitRequest, ForeseeRequest, Foresight } from "./contract/admission.ts";
import type { AddressAnswer } from "./contract/address.ts";
import type { Outcomes } from "./contract/outcomes.ts";
import { boundedRecord } from "./contract/record-limits.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import { askHolder, type Holder, identifyHolder, rememberSnapshot } from "./holders.ts";
import { Memory } from "./memory.ts";
import { calling, ipStub, onWorkspace } from "./remote.ts";

export type { Holder } from "./holders.ts";
export { renewInterval } from "./rules/lease.ts";

/** The gateway's view of all workspaces. Every call throws when its object cannot be reached. */
export interface Workspaces {
  /** Whose key it is: M003 no key of a gateway, M004 expired, M005 unknown or revoked. Throws when nobody can say: such a call must not pass. */
  identify(keyText: string): Promise<Holder | "M003" | "M004" | "M005">;
  /**
   * The holder as the object knows it. To be asked before anything is refused for what the document does
   * not hold (M101, M302): the remembered one may be old.
   */
  refresh(holder: Holder): Promise<Holder | "M004" | "M005">;
  /** Counts a request of the client's address (M202). A counter that cannot be reached lets it pass. */
  countAddress(address: string): Promise<AddressAnswer>;
  /** The request was refused with M200 to M204: it counts for the address neither. */
  uncountAddress(address: string, token: number): Promise<void>;
  /** What came with the last admission of a harness that learns from outcomes. */
  outcomes(holder: Pick<Holder, "workspace" | "harness">): Outcomes | undefined;
  /** The counts as the object knows them. */
  freshOutcomes(holder: Pick<Holder, "workspace" | "harness">): Promise<Outcomes>;
  /** What a request would meet at admission; nothing is counted. */
  foresee(workspace: string, request: ForeseeRequest): Promise<Foresight>;
  /** One call, memory only. The caller renews the lease every `renewInterval` ms and settles it. */
  admit(workspace: string, request: AdmitRequest): Promise<AdmitAnswer>;
  /** The request still runs. A lease that nobody renews ends after three times `renewInterval`. */
  renew(workspace: string, leaseId: string): Promise<void>;
  /** Ends the lease with the record's id and books the request; safe to call twice. */
  settle(workspace: string, record: RequestRecord): Promise<void>;
  /** A row for a call that was refused. */
  log(workspace: string, record: RequestRecord): Promise<void>;
}

/** By workspace and harness. */
const knownOutcomes = new Memory<Outcomes>(2000);

/** The workspaces behind these bindings. */
export function workspacesOf(env: Env, policy: Policy): Workspaces {
  return {
    identify: (keyText) => identifyHolder(env, keyText),
    refresh: (holder) => askHolder(env, holder),
    countAddress: (address) => countAddress(env, policy, address),
    uncountAddress: (address, token) => uncountAddress(env, address, token),
    outcomes: ({ workspace, harness }) => knownOutcomes.get(outcomesName(workspace, harness)),
    freshOutcomes: ({ workspace, harness }) =>
      onWorkspace(env, workspace, (stub) => stub.outcomes(harness)),
    foresee: (workspace, request) => onWorkspace(env, workspace, (stub) => stub.foresee(request)),
    admit: (workspace, request) => admit(env, workspace, request),
    renew: (workspace, leaseId) => onWorkspace(env, workspace, (stub) => stub.renewLate(leaseId)),
    settle: (workspace, record) => {
      const bounded = boundedRecord(record);
      return onWorkspace(env, workspace, (stub) => stub.settleLate(bounded));
    },
    log: (workspace, record) => {
      const bounded = boundedRecord(record);
      return onWorkspace(env, workspace, (stub) => stub.log(bounded));
    },
  };
}

async function admit(env: Env, workspace: string, request: AdmitRequest): Promise<AdmitAnswer> {
  const answer = await onWorkspace(env, workspace, (stub) => stub.admit(request));
  switch (answer.verdict) {
    case "stale":
      rememberSnapshot(answer.snapshot);
      return answer;
    case "refused":
      return answer;
    case "admitted": {
      if (answer.outcomes !== undefined)
        knownOutcomes.set(outcomesName(workspace, request.harness), answer.outcomes);
      // The version before answers with a stub of the lease; in both the lease has the request's id.
      return { ...answer, lease: answer.lease === null ? null : { id: request.requestId } };
    }
    default:
      return answer satisfies never;
  }
}

function outcomesName(workspace: string, harness: string): string {
  return `${workspace} ${harness}`;
}

/** The token of a request that was counted nowhere. */
const notCounted = 0;

async function countAddress(env: Env, policy: Policy, address: string): Promise<AddressAnswer> {
  if (policy.address === null) return { ok: true, token: notCounted };
  try {
    return await calling(
      () => ipStub(env, address),
      (stub) => stub.hit(),
    );
  } catch (error) {
    // A counter that cannot be reached must not stop the service; keys and budgets still can.
    console.warn(`an address could not be counted: ${String(error)}`);
    return { ok: true, token: notCounted };
  }
}

async function uncountAddress(env: Env, address: string, token: number): Promise<void> {
  if (token === notCounted) return;
  await calling(
    () => ipStub(env, address),
    (stub) => stub.giveBack(token),
  );
}
