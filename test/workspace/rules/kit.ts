/** A workspace's state in plain Node, with a clock that the test moves. */
import type { Limits } from "../../../src/policy/limits.ts";
import type { LimitNode } from "../../../src/policy/refusal.ts";
import { variantA } from "../../../src/policy/variant-a.ts";
import type { AdmitAnswer, AdmitRequest } from "../../../src/workspace/contract/admission.ts";
import type { RequestRecord } from "../../../src/workspace/contract/request-record.ts";
import { decide } from "../../../src/workspace/rules/admission.ts";
import { settleRequest } from "../../../src/workspace/rules/settlement.ts";
import { wholeWorkspace } from "../../../src/workspace/rules/nodes.ts";
import { newState, putKey, type WorkspaceState } from "../../../src/workspace/rules/state.ts";
import type { Config, LimitEntry } from "../../../src/store/config.ts";
import type { KeyRecord } from "../../../src/store/snapshot.ts";

export const start = Date.UTC(2026, 5, 10, 12, 0, 0);
export const model = "lab/one";

export interface Setup {
  limits?: Limits;
  /** The harness's limits. */
  budgets?: LimitEntry[];
  config?: Config;
}

export function workspace({ limits = variantA, budgets, config }: Setup = {}): WorkspaceState {
  const harness = { id: "h", name: "H", ...(budgets === undefined ? {} : { limits: budgets }) };
  const state = newState(limits, {
    workspace: "w",
    generation: 1,
    config: config ?? { harnesses: [harness, { id: "other", name: "Other" }] },
  });
  addKey(state, "h");
  addKey(state, "other");
  return state;
}

/** The key's hash is the harness's name. */
export function addKey(
  state: WorkspaceState,
  harness: string,
  more: Partial<KeyRecord> = {},
): void {
  putKey(state, {
    id: `key_${harness}`,
    name: "",
    harness,
    hash: harness,
    last4: "abcd",
    created_at: new Date(start).toISOString(),
    expires_at: null,
    last_used_at: null,
    ...more,
  });
}

/** Limits by node; the workspace of harness `h`, whose key is that of person `usr_1`. */
export type PathLimits = Partial<Record<LimitNode, LimitEntry[]>>;

/** A workspace with limits on the path of the key `h`. */
export function limitedWorkspace(limits: PathLimits, timezone = "UTC"): WorkspaceState {
  const harness = { id: "h", name: "H", ...(limits.harness && { limits: limits.harness }) };
  const config: Config = {
    timezone,
    harnesses: [harness],
    ...(limits.workspace && { limits: limits.workspace }),
  };
  const state = workspace({ limits: unlimited, config });
  addKey(state, "h", { person: "usr_1", ...(limits.key && { limits: limits.key }) });
  state.people.set("usr_1", { limits: limits.person ?? [], left: false });
  return state;
}

/** No windows and no slots: budgets alone. */
const unlimited: Limits = { window: null, slots: null, address: null, coolsDown: false };

let count = 0;

export function asking(change: Partial<AdmitRequest> = {}): AdmitRequest {
  count += 1;
  const harness = change.harness ?? "h";
  return {
    requestId: `r${count}`,
    keyHash: harness,
    harness,
    generation: 1,
    weight: "generation",
    candidates: [{ id: model, input: 10, asked: 10, prices: { input: 1, output: 1 } }],
    flexible: false,
    ...change,
  };
}

export function verdictOf(decision: AdmitAnswer): string {
  return decision.verdict === "refused" ? decision.refusal.code : decision.verdict;
}

export interface Spent {
  input?: number;
  output?: number;
  cost?: number;
  time?: number;
  harness?: string;
}

export function record(id: string, spent: Spent = {}): RequestRecord {
  const usage = {
    input_tokens: spent.input ?? 10,
    cached_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: spent.output ?? 10,
    reasoning_tokens: 0,
    estimated: false,
  };
  const cost = spent.cost ?? 0.00002;
  return {
    id,
    time: new Date(spent.time ?? start).toISOString(),
    harness: spent.harness ?? "h",
    format: "chat",
    requested_model: model,
    tier: "direct",
    reason: null,
    confidence: null,
    attempts: [{ model, status: 200, ms: 1, usage, cost, outcome: "ok" }],
    model,
    provider: "lab",
    status: 200,
    stream: false,
    usage,
    cost,
    dropped: [],
    first_byte_ms: 1,
    total_ms: 1,
    error: null,
  };
}

/** Requests in the workspace's window. */
export function counted(state: WorkspaceState): number {
  return state.windows.get(wholeWorkspace)?.times.length ?? 0;
}

/** Admits and settles at once; the verdict. */
export function call(
  state: WorkspaceState,
  { now = start, ask, spent }: { now?: number; ask?: Partial<AdmitRequest>; spent?: Spent } = {},
): string {
  const request = asking(ask);
  const decision = decide(state, request, now);
  if (decision.verdict === "admitted" && decision.lease !== null) {
    settleRequest(state, record(request.requestId, { time: now, ...spent }), now);
  }
  return verdictOf(decision);
}
