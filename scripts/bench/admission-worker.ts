/** The same relay twice: bare, and with everything that admission and settlement do to a request. */
import { addressOf } from "../../src/workspace/address/address.ts";
import { objectNameOf } from "../../src/workspace/client/address-object-name.ts";
import { policyOf } from "../../src/policy/choose.ts";
import { type Holder, type Workspaces, workspacesOf } from "../../src/workspace/client/client.ts";
import type { RequestRecord } from "../../src/workspace/contract/request-record.ts";
import { ipStub, workspaceStub } from "../../src/workspace/remote.ts";
import type { Env } from "../../src/store/env.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { hashKey, makeKey } from "../../src/store/keys.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "../../src/worker-objects.ts";

interface BenchEnv extends Env {
  UPSTREAM: string;
}

const model = "stub/one";
const prices = { input: 3, output: 15, cacheRead: 0.3 };

export default {
  async fetch(request: Request, env: BenchEnv, context: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/key") return new Response(await newKey(env));
    if (pathname === "/bare") return relay(request, env, { context, settle: () => undefined });
    const workspaces = workspacesOf(env, policyOf(env));
    const [holder] = await Promise.all([
      workspaces.identify(keyOf(request)),
      // Asked here directly: the edition without limits would leave the address's object out.
      countAddress(request, env, workspaces),
    ]);
    if (typeof holder === "string") return new Response(holder, { status: 401 });
    const id = crypto.randomUUID();
    const answer = await workspaces.admit(holder.workspace, asking(holder, id));
    if (answer.verdict !== "admitted" || answer.lease === null) {
      return new Response(answer.verdict, { status: 429 });
    }
    const settle = () => workspaces.settle(holder.workspace, recordOf(holder, id));
    return relay(request, env, { context, settle });
  },
};

function keyOf(request: Request): string {
  return request.headers.get("authorization") ?? "";
}

async function countAddress(request: Request, env: Env, workspaces: Workspaces): Promise<void> {
  const standing = await workspaces.standingOf(keyOf(request));
  const address = addressOf(request.headers, env);
  await ipStub(env, objectNameOf(env, address)).hit({ address, standing });
}

function asking(holder: Holder, requestId: string) {
  return {
    requestId,
    keyHash: holder.keyHash,
    harness: holder.harness,
    generation: holder.snapshot.generation,
    weight: "generation" as const,
    candidates: [{ id: model, input: 300, asked: 500, prices }],
    flexible: false,
    session: "conversation",
  };
}

interface Ending {
  context: ExecutionContext;
  settle(): Promise<void> | void;
}

/** The provider's bytes through one pump; settled before the last of them leaves. */
async function relay(
  request: Request,
  env: BenchEnv,
  { context, settle }: Ending,
): Promise<Response> {
  const body = await request.text();
  const answer = await fetch(env.UPSTREAM, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  const { readable, writable } = new IdentityTransformStream();
  const pump = async (): Promise<void> => {
    const writer = writable.getWriter();
    for await (const chunk of answer.body ?? []) await writer.write(chunk);
    await settle();
    await writer.close();
  };
  context.waitUntil(pump());
  return new Response(readable, { headers: { "content-type": "application/json" } });
}

function recordOf(holder: Holder, id: string): RequestRecord {
  const usage = {
    input_tokens: 300,
    cached_tokens: 100,
    cache_write_tokens: 0,
    output_tokens: 200,
    reasoning_tokens: 0,
    estimated: false,
  };
  return {
    id,
    time: new Date().toISOString(),
    harness: holder.harness,
    key_id: holder.keyId,
    format: "chat",
    requested_model: "auto",
    tier: "standard",
    reason: "tier=standard; by=scorer",
    confidence: 0.8,
    attempts: [{ model, status: 200, ms: 1, usage, cost: 0.00363, outcome: "ok" }],
    model,
    provider: "stub",
    status: 200,
    stream: false,
    usage,
    cost: 0.00363,
    dropped: [],
    first_byte_ms: 1,
    total_ms: 1,
    error: null,
    session: {
      key: "conversation",
      state: {
        model,
        tier: "standard",
        lastUsed: Date.now(),
        cachedTokens: 100,
        inputTokens: 300,
        turns: 3,
      },
    },
  };
}

async function newKey(env: BenchEnv): Promise<string> {
  const text = await makeKey("bench", await keyringOf(env.ENCRYPTION_KEY));
  await workspaceStub(env, "bench").createKey({
    id: crypto.randomUUID(),
    name: "bench",
    harness: "default",
    hash: await hashKey(text),
    last4: text.slice(-4),
    created_at: new Date().toISOString(),
    expires_at: null,
    last_used_at: null,
  });
  return text;
}
