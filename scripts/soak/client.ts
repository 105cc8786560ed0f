/** An administrator and the clients of a gateway under test. */
import { randomUUID } from "node:crypto";
import { addressHeader, type Host } from "./host.ts";

export interface Lab {
  host: Host;
  providerUrl: string;
}

/** A workspace of its own, with one key and one provider whose model costs what the test says. */
export interface Room {
  workspace: string;
  key: string;
  keyId: string;
  /** One client address; no other room has it. */
  address: string;
}

export interface RoomWish {
  limits?: unknown[];
  /** USD per million tokens. */
  cost?: { input: number; output: number };
}

let addresses = 0;

export interface AdminAsk {
  body?: unknown;
  workspace?: string;
}

/** `call` is the method and the path: `GET /api/config`. Throws when the gateway refuses. */
export async function admin(lab: Lab, call: string, ask: AdminAsk = {}) {
  const [method = "GET", path = "/"] = call.split(" ");
  const response = await fetch(lab.host.base + path, {
    method,
    headers: {
      authorization: `Bearer ${lab.host.adminToken}`,
      "content-type": "application/json",
      ...(ask.workspace === undefined ? {} : { "x-gateway-workspace": ask.workspace }),
    },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call}: ${response.status} ${text}`);
  // The admin API answers JSON objects.
  return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
}

export async function newRoom(lab: Lab, wish: RoomWish = {}): Promise<Room> {
  const made = await admin(lab, "POST /api/workspaces", { body: { name: "soak" } });
  const workspace = String(made["id"]);
  await configure(lab, workspace, wish);
  const key = await admin(lab, "POST /api/harnesses/h/keys", { workspace });
  addresses += 1;
  const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return { workspace, key: String(key["key"]), keyId: String(key["id"]), address };
}

export function configure(lab: Lab, workspace: string, wish: RoomWish = {}) {
  const model = {
    id: "one",
    context_window: 100_000,
    max_output: 4000,
    cost: wish.cost ?? { input: 1, output: 1 },
  };
  const provider = {
    id: "lab",
    kind: "custom",
    format: "chat",
    base_url: lab.providerUrl,
    models: [model],
  };
  const harness = { id: "h", name: "H", limits: wish.limits ?? [] };
  return admin(lab, "PUT /api/config", {
    workspace,
    body: { providers: [provider], harnesses: [harness] },
  });
}

export interface Ask {
  prompt?: string;
  stream?: boolean;
  maxTokens?: number;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

/** The raw response of one chat completion. */
export function chat(lab: Lab, room: Room, ask: Ask = {}): Promise<Response> {
  return fetch(`${lab.host.base}/v1/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${room.key}`,
      "content-type": "application/json",
      [addressHeader]: room.address,
      "x-run": randomUUID(),
      ...ask.headers,
    },
    body: JSON.stringify({
      model: "lab/one",
      max_tokens: ask.maxTokens ?? 10,
      messages: [{ role: "user", content: ask.prompt ?? "hello" }],
      ...(ask.stream === true ? { stream: true } : {}),
    }),
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
}

/** Status and code of a call that is read to its end; a hard limit's words count as `M200`. */
export async function verdict(lab: Lab, room: Room, ask: Ask = {}): Promise<string> {
  const response = await chat(lab, room, ask);
  const text = await response.text();
  const marker = /\[gateway (M\d+)\]/.exec(text)?.[1];
  return marker ?? String(response.status);
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function tally(verdicts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of verdicts) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  patience: number,
): Promise<boolean> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (await condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}
