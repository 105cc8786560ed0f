/** Gateways under measurement, each with a state of its own. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { adminOf } from "../../host/running/admin.ts";
import { childOf, startScript, type Started } from "./processes.ts";
import type { Target } from "./target.ts";

export interface Gateway extends Started {
  readonly base: string;
  readonly adminToken: string;
  /** Of workerd. */
  readonly server: number;
}

export interface GatewayOptions {
  /** A folder of this name is made for its state. */
  readonly name: string;
  /** The benchmark edition has no limits of rate and concurrency. */
  readonly edition: "bench" | "product";
  readonly settings?: Readonly<Record<string, string>>;
  /** The port of its inspector. */
  readonly inspector?: number;
}

/** Starts one on any free port. */
export async function startGateway(
  folder: string,
  { name, edition, settings = {}, inspector }: GatewayOptions,
): Promise<Gateway> {
  const state = path.join(folder, name);
  mkdirSync(state, { mode: 0o700 });
  const adminToken = randomBytes(16).toString("hex");
  const started = await startScript({
    file: "scripts/start.ts",
    args: [
      ...(edition === "bench" ? ["--bench"] : []),
      ...(inspector === undefined ? [] : ["--inspector", String(inspector)]),
      "--port",
      "0",
      "--state",
      state,
    ],
    environment: {
      ...settings,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    },
    ready: /^(?:ready on|Gateway) +(http:\/\/[^/\s]+)/m,
  });
  return { ...started, base: started.said, adminToken, server: childOf(started.pid) };
}

/** The model that every document of a benchmark has. */
const model = "stub/m";

function documentFor(provider: string): object {
  const connection = { id: "stub", kind: "custom", format: "chat", base_url: `${provider}/v1` };
  const models = [{ id: "m", cost: { input: 1, output: 2 } }];
  return { providers: [{ ...connection, models }], harnesses: [{ id: "bench", name: "Bench" }] };
}

/** The gateway's first workspace as a target. */
export async function connectOne(gateway: Gateway, provider: string): Promise<Target> {
  const key = await keyIn(gateway, gateway.adminToken, provider);
  return targetOf(gateway, [key]);
}

/** So many workspaces with a key each, in turn, and with another client address for every request. */
export async function connectMany(
  gateway: Gateway,
  { provider, count, addressHeader }: { provider: string; count: number; addressHeader: string },
): Promise<Target> {
  const root = adminOf(gateway.base, gateway.adminToken);
  const keys: string[] = [];
  for (let made = 0; made < count; made++) {
    // The contract's answer to this call.
    const { admin_token: token } = (await root.post("/api/workspaces", { name: "bench" })) as {
      admin_token: string;
    };
    keys.push(await keyIn(gateway, token, provider));
  }
  return { ...targetOf(gateway, keys), addressHeader };
}

async function keyIn({ base }: Gateway, token: string, provider: string): Promise<string> {
  const admin = adminOf(base, token);
  await admin.put("/api/config", documentFor(provider));
  // The contract's answer to this call.
  const { key } = (await admin.post("/api/harnesses/bench/keys", {})) as { key: string };
  return key;
}

function targetOf({ base, server }: Gateway, keys: readonly string[]): Target {
  const port = Number(new URL(base).port);
  return { port, path: "/v1/chat/completions", keys, model, pid: server };
}
