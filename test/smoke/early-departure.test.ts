/** Clients that leave before the first content, by a reset and by a plain close, in every phase of a request. */
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  openLane as laneOn,
  paths,
  provider,
  request,
  variants,
  type Client,
  type Json,
  type Lane,
  type Script,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import { endpoints } from "../kit/wire/index.ts";
import { addressHeader, inFlight, world, type World } from "./gateway.ts";
import { admin, npmStart, scratch, type Host } from "./host.ts";

/** Requests that leave at once in each phase: all slots of a workspace. A hundred a phase with `DEPARTURES=10`. */
const together = 10;
const rounds = Number(process.env["DEPARTURES"] ?? 1);
/** Seconds: of the provider's headers, so that a phase without any ends soon. */
const headers = 6;
const patience = { timeout: 600_000 };
const longestWait = 100_000;

const spaces = variants.map(() => scratch());
const hosts = new Map<Variant, Host>();

beforeAll(async () => {
  const started = await Promise.all(
    variants.map((variant, at) =>
      npmStart({
        state: spaces[at]?.folder ?? "",
        environment: { VARIANT: variant, TRUSTED_IP_HEADER: addressHeader, KEEP_ALIVE_AFTER: "2" },
      }),
    ),
  );
  variants.forEach((variant, at) => {
    const host = started[at];
    if (host !== undefined) hosts.set(variant, host);
  });
}, 120_000);

afterAll(async () => {
  await Promise.all([...hosts.values()].map((host) => host.stop()));
  for (const space of spaces) space.remove();
});

/** One request over a socket of its own, whose end is ours to choose. */
class Caller {
  readonly socket: net.Socket;
  heard = "";

  constructor(host: Host, text: string) {
    const { hostname, port } = new URL(host.base);
    this.socket = net.connect({ host: hostname, port: Number(port) }, () =>
      this.socket.write(text),
    );
    this.socket.on("data", (part: Buffer) => (this.heard += part.toString("latin1")));
    this.socket.on("error", () => undefined);
  }

  leave(how: Departure): void {
    if (how === "reset") this.socket.resetAndDestroy();
    else this.socket.destroy();
  }
}

type Departure = "reset" | "close";

let addresses = 0;

/** The text of a phase's request, as far as it is sent. */
function textOf(where: World, { client, stream, part = 1 }: Phase): string {
  const json = JSON.stringify(request(client, { model: "p/m", stream }));
  addresses += 1;
  const head = [
    `POST ${paths[client]} HTTP/1.1`,
    "host: 127.0.0.1",
    "content-type: application/json",
    `authorization: Bearer ${where.key}`,
    `${addressHeader}: 10.7.${addresses >> 8}.${addresses & 255}`,
    `content-length: ${json.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${json.slice(0, Math.floor(json.length * part))}`;
}

const sse = { "content-type": "text/event-stream" };
const text = "a long answer that its client will not wait for ".repeat(60);
const slow = (format: WireFormat): Script => ({
  headers: sse,
  body: endpoints[format].events({ text }, "m"),
  pace: 300,
});
const hanging = (format: WireFormat, pieces: number): Script => ({
  headers: sse,
  body: endpoints[format].events({ text }, "m").slice(0, pieces),
  end: "hang",
});
const mute: Script = { mute: true, end: "hang" };
const retryLater: Script = {
  status: 429,
  headers: { "content-type": "application/json", "retry-after": "5" },
  body: "{}",
};

interface Phase {
  name: string;
  client: Client;
  format: WireFormat;
  stream: boolean;
  /** Of the provider, and of its fallback. */
  scripts: Script[];
  fallback?: Script;
  harness?: Json;
  /** How much of the body is sent. */
  part?: number;
  /** Whether all are so far that they leave now. */
  reached(seen: Seen): boolean | Promise<boolean>;
  /** Some may not have arrived. */
  unread?: true;
  /** A plain close is not noticed: the slots are free when the provider's time is over. */
  unseen?: true;
}

interface Seen {
  where: World;
  callers: Caller[];
  /** Requests that the provider, and its fallback, got. */
  asked(): Promise<number>;
  askedFallback(): Promise<number>;
  since: number;
}

const asked = async ({ asked: count }: Seen): Promise<boolean> => (await count()) >= together;
const quietFor =
  (ms: number) =>
  async (seen: Seen): Promise<boolean> =>
    (await asked(seen)) && Date.now() - seen.since > ms;

const phases: Phase[] = [
  {
    name: "while its body arrives",
    client: "chat",
    format: "chat",
    stream: true,
    scripts: [mute],
    part: 0.5,
    reached: ({ since }) => Date.now() - since > 500,
  },
  {
    name: "as soon as it has asked",
    client: "messages",
    format: "chat",
    stream: true,
    scripts: [mute],
    // A request that is reset before anybody reads it never was one.
    unread: true,
    reached: ({ callers, since }) =>
      callers.every(({ socket }) => socket.bytesWritten > 0) && Date.now() - since > 20,
    unseen: true,
  },
  {
    name: "before its provider's headers",
    client: "chat",
    format: "chat",
    stream: true,
    scripts: [mute],
    reached: asked,
    unseen: true,
  },
  {
    name: "in the pause before a retry",
    client: "responses",
    format: "responses",
    stream: true,
    scripts: [...Array.from({ length: together }, () => retryLater), mute],
    reached: quietFor(300),
    unseen: true,
  },
  {
    name: "before the headers of a fallback",
    client: "messages",
    format: "messages",
    stream: true,
    scripts: [{ status: 503, headers: { "content-type": "application/json" }, body: "{}" }],
    fallback: mute,
    reached: async ({ askedFallback }) => (await askedFallback()) >= together,
    unseen: true,
  },
  {
    name: "behind its provider's headers",
    client: "chat",
    format: "chat",
    stream: true,
    scripts: [hanging("chat", 0)],
    reached: asked,
  },
  {
    name: "behind an event without content, translated",
    client: "responses",
    format: "messages",
    stream: true,
    scripts: [hanging("messages", 1)],
    reached: quietFor(200),
  },
  {
    name: "between two comments of a silent stream",
    client: "messages",
    format: "messages",
    stream: true,
    scripts: [hanging("messages", 1)],
    reached: quietFor(3500),
  },
  {
    name: "in the middle of a stream",
    client: "chat",
    format: "gemini",
    stream: true,
    scripts: [slow("gemini")],
    reached: ({ callers }) => callers.every(({ heard }) => heard.split("data:").length > 3),
  },
  {
    name: "while a whole answer is awaited",
    client: "chat",
    format: "messages",
    stream: false,
    scripts: [mute],
    reached: asked,
    unseen: true,
  },
];

async function countOf(lane: Lane): Promise<number> {
  return (await lane.received()).length;
}

async function rowsOf({ host }: World): Promise<Json[]> {
  return (await admin<{ data: Json[] }>(host, "GET /api/requests?limit=100")).data;
}

interface Departed {
  /** Seconds until no slot was held. */
  freed: number;
  rows: Json[];
  /** Provider's calls that were still under way at the end. */
  running: number;
}

/** A round of requests that leave together. */
async function departed(variant: Variant, phase: Phase, how: Departure): Promise<Departed> {
  const host = hosts.get(variant);
  if (host === undefined) throw new Error("no host");
  const lanes = [laneOn(inject("upstream")), laneOn(inject("upstream"))] as const;
  const [first, second] = lanes;
  await first.answer(...phase.scripts);
  await second.answer(phase.fallback ?? mute);
  const fallbacks = phase.fallback === undefined ? {} : { "p/m": ["q/m"] };
  const where = await world(host, {
    providers: [
      provider({ id: "p", format: phase.format, lane: first, timeouts: { headers } }),
      provider({ id: "q", format: phase.format, lane: second, timeouts: { headers } }),
    ],
    harnesses: [{ id: "h", name: "H", routing: { fallbacks }, ...phase.harness }],
  });
  const since = Date.now();
  const callers = Array.from({ length: together }, () => new Caller(host, textOf(where, phase)));
  const seen: Seen = {
    where,
    callers,
    since,
    asked: () => countOf(first),
    askedFallback: () => countOf(second),
  };
  for (const until = Date.now() + longestWait; !(await phase.reached(seen)); await sleep(20))
    if (Date.now() > until) throw new Error("the phase was never reached");
  const left = Date.now();
  for (const caller of callers) caller.leave(how);
  await sleep(50);
  for (const until = Date.now() + longestWait; (await inFlight(where)) > 0; await sleep(20))
    if (Date.now() > until) throw new Error("the slots were never freed");
  const freed = (Date.now() - left) / 1000;
  let rows = await rowsOf(where);
  for (const until = Date.now() + 5000; rows.length < together && Date.now() < until;) {
    await sleep(50);
    rows = await rowsOf(where);
  }
  await sleep(100);
  const received = (await Promise.all(lanes.map((lane) => lane.received()))).flat();
  const running = received.filter(
    ({ finished, leftAt }) => !finished && leftAt === undefined,
  ).length;
  return { freed, rows, running };
}

/** Seconds until the slots of clients that left are free. */
const longestReset = 5;
const longestClose = 15;

describe.each(variants)("variant %s", (variant) => {
  for (const how of ["reset", "close"] as const)
    describe(how === "reset" ? "a reset" : "a plain close", () => {
      it.concurrent.each(phases)("$name", patience, async (phase) => {
        const bound = how === "reset" ? longestReset : phase.unseen ? headers + 5 : longestClose;
        for (let round = 0; round < rounds; round++) {
          const { freed, rows, running } = await departed(variant, phase, how);
          if (rounds > 1) console.log(JSON.stringify({ variant, how, phase: phase.name, freed }));
          expect(freed).toBeLessThan(bound);
          expect(running).toBe(0);
          expect(rows.map(({ outcome }) => outcome)).toEqual(
            rows.map(() => (how === "close" && phase.unseen === true ? "failed" : "left")),
          );
          const ids = new Set(rows.map(({ id }) => id));
          expect(ids.size).toBe(rows.length);
          if (how === "close" || phase.unread !== true) expect(ids.size).toBe(together);
        }
      });
    });
});
