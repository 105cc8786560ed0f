/**
 * No secret and no text of a request is anywhere but where its harness keeps texts: secrets and texts that are in no place by
 * chance go through a gateway with everything on, and every sink is searched for them, in every encoding.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manners, sideManners, startLoudProvider } from "./canary/provider.ts";
import {
  besideTexts,
  chosenSecrets,
  redactedTexts,
  texts,
  unkeptTexts,
} from "./canary/canaries.ts";
import { encodings, findCanaries, spellings, type Canaries } from "./canary/encodings.ts";
import { type Piece, sinks, type Stage, stateFiles } from "./canary/sinks.ts";
import { sendEverything } from "./canary/traffic.ts";
import { addressHeader, keyOf, world } from "../smoke/gateway.ts";
import { admin, npmStart, scratch, type Host } from "../smoke/host.ts";
import { Collector } from "../telemetry/collector.ts";

describe("a canary is found", () => {
  const canary = "a canary / of some + length?";

  it.each(encodings)("as %s, wherever it begins", (encoding) => {
    for (const before of ["", "x", "xy", "xyz"])
      for (const form of spellings(canary, encoding)) {
        const bytes = Buffer.from(`${before}${form}...`);
        expect(findCanaries(bytes, { canary })).toContain(`canary as ${encoding}`);
      }
  });

  it("in the middle of a longer text that was encoded as a whole, and by half", () => {
    for (const before of ["", "x", "xy"]) {
      const whole = Buffer.from(`${before}${canary}!`).toString("base64");
      expect(findCanaries(Buffer.from(whole), { canary })).toContain("canary as base64");
    }
    const long = "0123456789abcdef".repeat(3);
    expect(findCanaries(Buffer.from(long.slice(0, 30)), { long })).toEqual(
      ["plain", "percent", "json"].map((encoding) => `long as ${encoding}`),
    );
    expect(findCanaries(gzipSync(canary), { canary })).toEqual([]);
  });
});

/** What webhooks send, taken note of. */
async function webhookReceiver(): Promise<{ server: Server; url: string; received: Piece[] }> {
  const received: Piece[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [Buffer.from(JSON.stringify(request.headers))];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ where: "delivery", bytes: Buffer.concat(parts) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, received };
}

const eventTypes = [
  "limit.near",
  "limit.reached",
  "provider.down",
  "provider.up",
  "key.created",
  "key.revoked",
];

/** A started gateway with everything on, everything sent through it, and the secrets that it made itself. */
async function staged(keepsTexts: boolean, state: string) {
  const [provider, collector, receiver] = await Promise.all([
    startLoudProvider(),
    Collector.open(),
    webhookReceiver(),
  ]);
  const host = await npmStart({
    state,
    adminToken: chosenSecrets.adminToken,
    environment: {
      TRUSTED_IP_HEADER: addressHeader,
      LOG: "all",
      METRICS_TOKEN: chosenSecrets.metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${chosenSecrets.collectorHeader}`,
      OTEL_METRIC_EXPORT_INTERVAL: "500",
    },
  });
  const kept = keepsTexts
    ? { log_text: true, trace_text: true, redact: { patterns: ["ACME-[0-9a-f]+"] } }
    : {};
  const where = await world(host, {
    providers: [...manners, ...sideManners].map((manner) => ({
      id: manner,
      kind: "custom",
      format: manner === "finds" || manner === "misses" ? "messages" : "chat",
      base_url: `${provider.url}/${manner}/v1`,
      api_key: chosenSecrets.providerKey,
      headers: { "x-secret-token": chosenSecrets.providerHeader },
      models: [{ id: "m", cost: { input: 1, output: 1 } }],
    })),
    harnesses: [
      {
        id: "h",
        name: "H",
        errors: "status",
        aliases: { "fallback/m": "fails/m" },
        routing: { fallbacks: { "fails/m": ["good/m"] } },
        ...kept,
      },
      ...[
        { id: "searched", web_search: { provider: "finds" }, safeguard_model: "judges/m" },
        { id: "missed", web_search: { provider: "misses" }, safeguard_model: "balks/m" },
      ].map((named) => ({ name: named.id, errors: "status", ...named, ...kept })),
      { id: "walled", name: "W", errors: "status", models: ["nothing/at-all"], ...kept },
      {
        id: "spent",
        name: "S",
        limits: [{ metric: "requests", period: "day", max: 0, action: "block" }],
        ...kept,
      },
    ],
  });
  const owner = where.host;
  const hooks = await Promise.all(
    ["standard", "slack"].map((style) =>
      admin<{ id: string; secret: string }>(owner, "POST /api/webhooks", {
        url: `${receiver.url}/services/${chosenSecrets.webhookPath}`,
        events: eventTypes,
        style,
      }),
    ),
  );
  const [walled, spent] = [await keyOf(owner, "walled"), await keyOf(owner, "spent")];
  const [searched, missed] = [await keyOf(owner, "searched"), await keyOf(owner, "missed")];
  const viewer = await admin<{ token: string }>(owner, "POST /api/tokens", {
    name: "v",
    role: "viewer",
  });
  const cookie = await signedIn(host, where.token);
  await sendEverything(host, { good: where.key, walled, spent, searched, missed });
  await settled(owner, collector, receiver.received);
  const rows = await admin<{ data: { id: string }[] }>(owner, "GET /api/requests?limit=500");
  expect(rows.data.length).toBeGreaterThan(50);
  const keys = await admin<{ data: { id: string }[] }>(owner, "GET /api/harnesses/h/keys");
  const { workspace } = await admin<{ workspace: string }>(owner, "GET /api/me");
  const stage: Stage = {
    host,
    state,
    collector,
    received: receiver.received,
    ownerToken: where.token,
    viewerToken: viewer.token,
    cookie,
    workspace,
    harness: "h",
    webhook: hooks[0]?.id ?? "",
    keyId: keys.data[0]?.id ?? "",
    requests: rows.data.map(({ id }) => id),
  };
  const secrets: Canaries = {
    ...chosenSecrets,
    goodKey: where.key,
    walledKey: walled,
    spentKey: spent,
    searchedKey: searched,
    missedKey: missed,
    ownerToken: where.token,
    viewerToken: viewer.token,
    session: /=([^;]+)/.exec(cookie)?.[1] ?? "",
    ...Object.fromEntries(hooks.map(({ secret }, at) => [`webhookSecret${at}`, secret])),
  };
  for (const [name, secret] of Object.entries(secrets))
    expect(secret.length, name).toBeGreaterThan(15);
  const close = async (): Promise<void> => {
    await Promise.all([provider.close(), collector.close()]);
    receiver.server.closeAllConnections();
    receiver.server.close();
  };
  return { stage, secrets, close };
}

async function signedIn(host: Host, token: string): Promise<string> {
  const answer = await fetch(`${host.base}/dashboard/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: host.base },
    body: new URLSearchParams({ token }),
  });
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** Everything that works behind answers is done: rows, exports and deliveries. */
async function settled(
  owner: Host,
  collector: Collector,
  received: readonly Piece[],
): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { in_flight: running } = await admin<{ in_flight: number }>(owner, "GET /api/status");
    const seen = collector.exports.length + received.length;
    await sleep(1_500);
    const isQuiet = collector.traces().length > 0 && collector.metrics().length > 0;
    if (running === 0 && isQuiet && received.length > 0 && seen > 0 && tries > 0) return;
  }
  throw new Error("exports and deliveries never came");
}

describe.each([
  { title: "a harness that keeps no texts", keepsTexts: false },
  { title: "a harness that keeps texts", keepsTexts: true },
])("$title", ({ keepsTexts }) => {
  const space = scratch();
  const state = path.join(space.folder, "state");
  const never: Canaries = { ...redactedTexts, ...unkeptTexts, header: texts.header };
  const { header: _, ...kept } = texts;
  let all: Awaited<ReturnType<typeof staged>>;

  beforeAll(async () => {
    all = await staged(keepsTexts, state);
  });

  afterAll(async () => {
    await all.stage.host.stop();
    await all.close();
    space.remove();
  });

  it.each(sinks)("has no secret, and no text beyond it, in: $name", async (sink) => {
    const pieces = await sink.read(all.stage);
    expect(pieces.length).toBeGreaterThan(0);
    const shown = new Set(sink.shows);
    const secrets = Object.fromEntries(
      Object.entries(all.secrets).filter(([name]) => !shown.has(name)),
    );
    for (const { where, bytes } of pieces) {
      expect(findCanaries(bytes, { ...secrets, ...never }), where).toEqual([]);
      if (keepsTexts && sink.holdsTexts?.(where) === true) continue;
      expect(findCanaries(bytes, { ...kept, ...besideTexts }), where).toEqual([]);
    }
  });

  it("has what it keeps where it is looked for", async () => {
    for (const sink of sinks.filter(({ holdsTexts }) => holdsTexts !== undefined)) {
      const pieces = await sink.read(all.stage);
      const found = new Set(
        pieces.flatMap(({ bytes }) => findCanaries(bytes, kept)).map((hit) => hit.split(" ", 1)[0]),
      );
      expect(found.size > 0, sink.name).toBe(keepsTexts);
      if (!keepsTexts || sink.name === "exports") continue;
      expect(found, sink.name).toEqual(new Set(Object.keys(kept)));
    }
  });

  it("has no secret on the disk, and texts only where they are kept", async () => {
    await all.stage.host.stop();
    const files = stateFiles(state);
    // The address of a webhook is kept as the rest of a workspace's settings is; what signs its bodies is sealed.
    const { webhookPath: __, ...secrets } = all.secrets;
    expect(files.length).toBeGreaterThan(0);
    for (const { where, bytes } of files) {
      expect(findCanaries(bytes, { ...secrets, ...never }), where).toEqual([]);
      if (!keepsTexts) expect(findCanaries(bytes, { ...kept, ...besideTexts }), where).toEqual([]);
    }
  });
});
