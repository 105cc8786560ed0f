/** Short names for the workspace's object in tests that run in workerd. */
import { runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { policyOf } from "../../src/policy/choose.ts";
import { type Holder, workspacesOf } from "../../src/workspace/client/client.ts";
import type {
  AdmitAnswer,
  AdmitGrant,
  AdmitRequest,
} from "../../src/workspace/contract/admission.ts";
import type { AttemptRecord, RequestRecord } from "../../src/workspace/contract/request-record.ts";
import { workspaceStub } from "../../src/workspace/remote.ts";
import type { Config } from "../../src/store/config.ts";
import type { Env } from "../../src/store/env.ts";
import type { KeyRecord } from "../../src/store/snapshot.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { hashKey, makeKey } from "../../src/store/keys.ts";

// The pool gives the bindings of wrangler.toml, which Env describes.
export const env = bindings as unknown as Env;
export const workspaces = workspacesOf(env, policyOf(env));

/** A workspace of its own for every test. */
export function newWorkspace(): string {
  return `t-${crypto.randomUUID().slice(0, 13)}`;
}

export function object(workspace: string) {
  return workspaceStub(env, workspace);
}

/** For `runInDurableObject`, which takes no other. */
export function stubOf(workspace: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
}

/** Runs the object's alarm, which folds the sums. */
export async function fold(workspace: string): Promise<void> {
  await runInDurableObject(stubOf(workspace), async (instance) => {
    // The class of the binding.
    await (instance as unknown as { alarm(): Promise<void> }).alarm();
  });
}

export async function putConfig(workspace: string, config: Config): Promise<void> {
  const { generation } = await object(workspace).snapshot();
  await object(workspace).putConfig(config, generation);
}

export interface TestKey {
  id: string;
  text: string;
  hash: string;
}

export async function newKey(
  workspace: string,
  harness = "default",
  more: Partial<KeyRecord> = {},
): Promise<TestKey> {
  const text = await makeKey(workspace, await keyringOf(env.ENCRYPTION_KEY));
  const hash = await hashKey(text);
  const id = `key_${crypto.randomUUID().slice(0, 8)}`;
  const made = await object(workspace).createKey({
    id,
    name: "test",
    harness,
    hash,
    last4: text.slice(-4),
    created_at: new Date().toISOString(),
    expires_at: null,
    last_used_at: null,
    ...more,
  });
  if (made !== true) throw new Error(made === "left" ? made : "no such harness");
  return { id, text, hash };
}

export async function newHolder(workspace: string): Promise<Holder> {
  const key = await newKey(workspace);
  const holder = await workspaces.identify(key.text);
  if (typeof holder === "string") throw new Error(holder);
  return holder;
}

export const modelId = "lab/one";

export function asking(holder: Holder, change: Partial<AdmitRequest> = {}): AdmitRequest {
  return {
    requestId: crypto.randomUUID(),
    keyHash: holder.keyHash,
    harness: holder.harness,
    generation: holder.snapshot.generation,
    weight: "generation",
    candidates: [{ id: modelId, input: 10, asked: 10, prices: { input: 1, output: 1 } }],
    flexible: false,
    ...change,
  };
}

export function isAdmitted(answer: AdmitAnswer): answer is AdmitGrant {
  return answer.verdict === "admitted";
}

export function refusalOf(answer: AdmitAnswer): string {
  return answer.verdict === "refused" ? answer.refusal.code : answer.verdict;
}

export function attempt(change: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    model: modelId,
    status: 200,
    ms: 5,
    usage: {
      input_tokens: 10,
      cached_tokens: 0,
      cache_write_tokens: 0,
      output_tokens: 10,
      reasoning_tokens: 0,
      estimated: false,
    },
    cost: 0.00002,
    outcome: "ok",
    ...change,
  };
}

export function row(id: string, change: Partial<RequestRecord> = {}): RequestRecord {
  const attempts = change.attempts ?? [attempt()];
  const last = attempts.at(-1);
  return {
    id,
    time: new Date().toISOString(),
    harness: "default",
    format: "chat",
    requested_model: modelId,
    tier: "direct",
    reason: "named",
    confidence: 1,
    model: last?.model ?? null,
    provider: "lab",
    status: last?.status ?? 500,
    stream: false,
    usage: last?.usage ?? null,
    cost: last?.cost ?? null,
    dropped: [],
    first_byte_ms: 3,
    total_ms: 5,
    error: null,
    ...change,
    attempts,
  };
}

/** Admits and settles at once. */
export async function call(
  holder: Holder,
  change: Partial<AdmitRequest> = {},
): Promise<AdmitAnswer> {
  const request = asking(holder, change);
  const answer = await workspaces.admit(holder.workspace, request);
  if (isAdmitted(answer) && answer.lease !== null)
    await workspaces.settle(holder.workspace, row(request.requestId));
  return answer;
}

/** Ends the object's instance, as a deployment or an eviction would. */
export async function restart(workspace: string): Promise<void> {
  await runInDurableObject(stubOf(workspace), (_instance, state) => {
    state.abort("restarted by a test");
  }).catch(() => undefined);
}
