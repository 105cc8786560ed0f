/// <reference lib="esnext.disposable" />
/**
 * What the gateway asks of the meter. Keys and snapshots are remembered in the isolate and in KV; admission
 * compares them with the object's truth, so that a memory may be old without harm.
 */
import { type Env, variantOf } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { hashKey, keyPrefix, readKey } from "../store/keys.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { limitsOn } from "../policy/build.ts";
import type {
  AdmitAnswer,
  AdmitRequest,
  ForeseeRequest,
  Foresight,
  Lease,
  Outcomes,
  RequestRecord,
} from "./contract/contract.ts";
import type { AddressAnswer } from "./address/address-object.ts";
import { leaseTime } from "./rules/lease.ts";
import { keyName, type PublishedKey, snapshotName } from "./publish.ts";
import { calling, ipStub, type WorkspaceStub, workspaceStub } from "./remote.ts";

/** Who calls, and the document by which the call is planned. */
export interface Holder {
  workspace: string;
  harness: string;
  keyId: string;
  keyHash: string;
  /** ISO 8601 UTC. */
  expires_at: string | null;
  snapshot: Snapshot;
}

export interface Meter {
  /** Whose key it is. Throws when nobody can say: such a call must not pass. */
  identify(keyText: string): Promise<Holder | "M003" | "M004" | "M005">;
  /**
   * The holder by the object's own word. To be asked before anything is refused for what the document does
   * not hold (M101, M302): the remembered one may be old.
   */
  refresh(holder: Holder): Promise<Holder | "M004" | "M005">;
  /** Counts a request of the client's address (M202). */
  hit(address: string): Promise<AddressAnswer>;
  /** The request was refused with M200 to M204: it counts for the address neither. */
  giveBack(address: string, token: number): Promise<void>;
  /** What came with the last admission of a harness that learns from outcomes. */
  outcomes(holder: Pick<Holder, "workspace" | "harness">): Outcomes | undefined;
  /** The counts by the object's own word. */
  freshOutcomes(holder: Pick<Holder, "workspace" | "harness">): Promise<Outcomes>;
  /** What a request would meet at admission; nothing is counted. */
  foresee(workspace: string, request: ForeseeRequest): Promise<Foresight>;
  /** One call, memory only. The lease must be settled; settling also lets go of its stub. */
  admit(workspace: string, request: AdmitRequest): Promise<AdmitAnswer>;
  /** A row for a call that was refused. */
  log(workspace: string, record: RequestRecord): Promise<void>;
}

interface KnownKey {
  hash: string;
  key: PublishedKey;
}

/** What an isolate remembers, the oldest forgotten first. */
interface Memory<T> {
  entries: Map<string, T>;
  most: number;
}

/** By the key's text. */
const knownKeys: Memory<KnownKey> = { entries: new Map(), most: 5000 };
/** By workspace. */
const knownSnapshots: Memory<Snapshot> = { entries: new Map(), most: 500 };

/** By workspace and harness. */
const knownOutcomes: Memory<Outcomes> = { entries: new Map(), most: 2000 };

export function meterOf(env: Env): Meter {
  return {
    identify: (keyText) => identify(env, keyText),
    refresh: ({ workspace, keyHash }) => fromObject(env, { workspace, keyHash }),
    hit: (address) => hit(env, address),
    giveBack: (address, token) => giveBack(env, address, token),
    outcomes: ({ workspace, harness }) => knownOutcomes.entries.get(`${workspace} ${harness}`),
    freshOutcomes: ({ workspace, harness }) =>
      onWorkspace(env, workspace, (stub) => stub.outcomes(harness)),
    foresee: (workspace, request) => onWorkspace(env, workspace, (stub) => stub.foresee(request)),
    admit: (workspace, request) => admit(env, workspace, request),
    log: (workspace, record) => onWorkspace(env, workspace, (stub) => stub.log(record)),
  };
}

async function identify(env: Env, keyText: string): Promise<Holder | "M003" | "M004" | "M005"> {
  const known = knownKeys.entries.get(keyText);
  if (known !== undefined) return holderOf(env, known);
  if (!keyText.startsWith(keyPrefix) || keyText.length === keyPrefix.length) return "M003";
  const owner = await readKey(keyText, await keyringOf(env.ENCRYPTION_KEY));
  if (owner === undefined) return "M005";
  const hash = await hashKey(keyText);
  const key = await published<PublishedKey>(env, keyName(hash));
  if (key !== undefined && key.workspace === owner.workspace) {
    remember(knownKeys, keyText, { hash, key });
    return holderOf(env, { hash, key });
  }
  // An object is only asked for a workspace that exists: a forged name must not bring one into being.
  if (!owner.proven) return "M005";
  const holder = await fromObject(env, { workspace: owner.workspace, keyHash: hash });
  if (typeof holder === "object") {
    const { workspace, harness, keyId: id, expires_at } = holder;
    remember(knownKeys, keyText, { hash, key: { workspace, harness, id, expires_at } });
  }
  return holder;
}

async function holderOf(env: Env, { hash, key }: KnownKey): Promise<Holder | "M004" | "M005"> {
  if (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()) return "M004";
  const snapshot =
    knownSnapshots.entries.get(key.workspace) ?? (await publishedSnapshot(env, key.workspace));
  // A key of a harness that the remembered document does not have yet is newer than that document.
  const known = snapshot?.config.harnesses?.some(({ id }) => id === key.harness) ?? false;
  if (snapshot === undefined || !known) {
    return fromObject(env, { workspace: key.workspace, keyHash: hash });
  }
  const { workspace, harness, id: keyId, expires_at } = key;
  return { workspace, harness, keyId, keyHash: hash, expires_at, snapshot };
}

async function fromObject(
  env: Env,
  { workspace, keyHash }: { workspace: string; keyHash: string },
): Promise<Holder | "M004" | "M005"> {
  const found = await onWorkspace(env, workspace, (stub) => stub.identify(keyHash));
  if ("refusal" in found) return found.refusal;
  const { snapshot, key } = found;
  remember(knownSnapshots, workspace, snapshot);
  return {
    workspace,
    harness: key.harness,
    keyId: key.id,
    keyHash,
    expires_at: key.expires_at,
    snapshot,
  };
}

async function publishedSnapshot(env: Env, workspace: string): Promise<Snapshot | undefined> {
  const snapshot = await published<Snapshot>(env, snapshotName(workspace));
  if (snapshot !== undefined) remember(knownSnapshots, workspace, snapshot);
  return snapshot;
}

/** A copy in KV, or undefined when there is none or KV fails: the object knows in any case. */
async function published<T>(env: Env, name: string): Promise<T | undefined> {
  try {
    // Only the workspace's object writes here, in this shape.
    return (await env.KV.get<T>(name, "json")) ?? undefined;
  } catch (error) {
    console.warn(`a copy in KV could not be read: ${String(error)}`);
    return undefined;
  }
}

async function admit(env: Env, workspace: string, request: AdmitRequest): Promise<AdmitAnswer> {
  const answer = await onWorkspace(env, workspace, (stub) => stub.admit(request));
  switch (answer.verdict) {
    case "stale":
      remember(knownSnapshots, workspace, answer.snapshot);
      return answer;
    case "refused":
      return answer;
    case "admitted": {
      if (answer.outcomes !== undefined)
        remember(knownOutcomes, `${workspace} ${request.harness}`, answer.outcomes);
      if (answer.lease === null) return answer;
      const held = { env, workspace, id: request.requestId, answer, stub: answer.lease };
      return { ...answer, lease: heldLease(held) };
    }
    default:
      return answer satisfies never;
  }
}

/** A third of a lease's life, so that two renewals may fail. */
/**
 * The lease with a way round its stub, which dies when the object is restarted. It renews itself as long as
 * its request lives, whatever that waits for: before an answer begins nothing else would.
 */
function heldLease(held: {
  env: Env;
  workspace: string;
  id: string;
  answer: object;
  stub: Lease;
}): Lease {
  const { env, workspace, id, answer, stub } = held;
  const renew = async (): Promise<void> => {
    try {
      await stub.renew();
    } catch {
      await onWorkspace(env, workspace, (object) => object.renewLate(id));
    }
  };
  const timer = setInterval(() => void renew().catch(() => undefined), renewInterval);
  return {
    id,
    async settle(record) {
      clearInterval(timer);
      try {
        await stub.settle(record);
      } catch {
        await onWorkspace(env, workspace, (object) => object.settleLate({ ...record, id }));
      } finally {
        letGo(answer);
      }
    },
    renew,
  };
}

/** Answers with stubs inside carry a disposer that the types of plain data do not show. */
function letGo(answer: object): void {
  const dispose: unknown = Reflect.get(answer, Symbol.dispose);
  if (typeof dispose === "function") dispose.call(answer);
}

async function hit(env: Env, address: string): Promise<AddressAnswer> {
  if (!limitsOn || variantOf(env) === "B") return { ok: true, token: 0 };
  try {
    return await calling(
      () => ipStub(env, address),
      (stub) => stub.hit(),
    );
  } catch (error) {
    // A counter that cannot be reached must not stop the service; keys and budgets still can.
    console.warn(`an address could not be counted: ${String(error)}`);
    return { ok: true, token: 0 };
  }
}

async function giveBack(env: Env, address: string, token: number): Promise<void> {
  if (token === 0) return;
  await calling(
    () => ipStub(env, address),
    (stub) => stub.giveBack(token),
  );
}

function onWorkspace<Answer>(
  env: Env,
  workspace: string,
  call: (stub: WorkspaceStub) => Promise<Answer>,
): Promise<Answer> {
  return calling(() => workspaceStub(env, workspace), call);
}

function remember<T>({ entries, most }: Memory<T>, key: string, value: T): void {
  const oldest =
    entries.size >= most && !entries.has(key) ? entries.keys().next().value : undefined;
  if (oldest !== undefined) entries.delete(oldest);
  entries.set(key, value);
}

export const renewInterval = leaseTime / 3;
export interface Workspaces {
  identify(keyText: string): Promise<Holder | "M003" | "M004" | "M005">;
  refresh(holder: Holder): Promise<Holder | "M004" | "M005">;
  countAddress(address: string): Promise<AddressAnswer>;
  uncountAddress(address: string, token: number): Promise<void>;
  outcomes(holder: Pick<Holder, "workspace" | "harness">): Outcomes | undefined;
  freshOutcomes(holder: Pick<Holder, "workspace" | "harness">): Promise<Outcomes>;
  foresee(workspace: string, request: ForeseeRequest): Promise<Foresight>;
  admit(workspace: string, request: AdmitRequest): Promise<AdmitAnswer>;
  renew(workspace: string, leaseId: string): Promise<void>;
  settle(workspace: string, record: RequestRecord): Promise<void>;
  log(workspace: string, record: RequestRecord): Promise<void>;
}
const leases = new Map<string, Lease>();
export function workspacesOf(env: Env): Workspaces {
  const m = meterOf(env);
  return {
    ...m,
    countAddress: m.hit,
    uncountAddress: m.giveBack,
    async admit(workspace, request) {
      const answer = await m.admit(workspace, request);
      if (answer.verdict === "admitted" && answer.lease)
        leases.set(request.requestId, answer.lease);
      return answer;
    },
    async renew(_w, id) {
      await leases.get(id)?.renew();
    },
    async settle(_w, record) {
      const l = leases.get(record.id);
      leases.delete(record.id);
      await l?.settle(record);
    },
  };
}
