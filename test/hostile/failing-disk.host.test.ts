/** A started gateway whose disk is full, read-only, broken or slow: limits hold, and nothing that was served is forgotten. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLane, provider, replyScript, type Answer, type Json } from "../kit/asking.ts";
import { asked, keyOf, world, type World } from "../smoke/gateway.ts";
import { admin, npmStart, type Host } from "../smoke/host.ts";
import { givesDisks, hasCompiler, openDisk, type Disk } from "./failing-disk/disk.ts";

const givesOwn = givesDisks();
if (!givesOwn) console.warn("this machine gives no mount namespaces: failing disks are not tested");
const compiles = hasCompiler();
if (!compiles)
  console.warn("this machine has no C compiler: I/O errors and slow disks are not tested");

const max = 30;
const patience = { timeout: 60_000, interval: 200 };
const metricsToken = "scraper-of-a-failing-disk";

async function start(disk: Disk, adminToken?: string): Promise<Host> {
  const { folder: state, within } = disk;
  const environment = { METRICS_TOKEN: metricsToken };
  return await npmStart({
    state,
    within,
    environment,
    ...(adminToken !== undefined && { adminToken }),
  });
}

interface Scene {
  /** Asked with the key of a harness that a blocking limit of `max` requests covers. */
  limited: World;
  /** Of the same workspace, without a limit. */
  free: World;
  freeKeyId: string;
  /** Requests that were served. */
  readonly served: { limited: number; free: number };
}

async function setUp(host: Host): Promise<Scene> {
  const lane = openLane();
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const limits = [{ metric: "requests", period: "day", max, action: "block" }];
  const limited = await world(host, {
    providers: [provider({ id: "lab", format: "chat", lane })],
    harnesses: [
      { id: "limited", name: "Limited", errors: "status", limits },
      { id: "free", name: "Free", errors: "status" },
    ],
  });
  const free = { ...limited, key: await keyOf(limited.host, "free") };
  const keys = await admin<{ data: { id: string }[] }>(
    limited.host,
    "GET /api/harnesses/free/keys",
  );
  return { limited, free, freeKeyId: keys.data[0]?.id ?? "", served: { limited: 0, free: 0 } };
}

async function send(scene: Scene, harness: "limited" | "free"): Promise<Answer> {
  const body = { model: "lab/m", messages: [{ role: "user", content: "hi" }] };
  const answer = await asked(scene[harness], { client: "chat", body });
  if (answer.status === 200) scene.served[harness] += 1;
  return answer;
}

async function serve(scene: Scene, harness: "limited" | "free", count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) expect((await send(scene, harness)).status).toBe(200);
}

/** The first answer that is not 200; at most so many as the limit has left are. */
async function untilRefused(scene: Scene): Promise<Answer> {
  for (;;) {
    const answer = await send(scene, "limited");
    if (answer.status !== 200) return answer;
    await sleep(300);
  }
}

const readiness = async ({ base }: Host): Promise<Json> =>
  (await (await fetch(`${base}/readyz`)).json()) as Json;

async function failures({ base }: Host): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${base}/metrics`, { headers })).text();
  return Number(/^gateway_storage_failures_total (\d+)$/m.exec(text)?.[1]);
}

interface Row {
  harness: string;
  status: number;
  cost: number;
}

/** The limit, the log and the sums say what was served: no more, no less. */
async function expectBooked({ limited: { host }, served }: Scene): Promise<void> {
  const limits = await admin<{ data: { used: number }[] }>(host, "GET /api/limits");
  expect(limits.data[0]?.used).toBe(max);
  const rows = await admin<{ data: Row[] }>(host, "GET /api/requests?limit=500");
  const good = (harness: string) =>
    rows.data.filter((row) => row.harness === harness && row.status === 200).length;
  expect({ limited: good("limited"), free: good("free") }).toEqual(served);
  const { groups } = await admin<{
    groups: { group: string; requests: number; blocked: number; cost: number }[];
  }>(host, "GET /api/usage?group=harness");
  for (const { group, requests, blocked, cost } of groups) {
    const logged = rows.data.filter(({ harness }) => harness === group);
    expect(requests + blocked, group).toBe(logged.length);
    const spent = logged.reduce((sum, row) => sum + row.cost, 0);
    expect(cost, group).toBeCloseTo(spent, 9);
  }
}

function expectStorageFailing({ status, error, headers }: Answer): void {
  expect([status, error["code"]]).toEqual([503, "storage_failing"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

interface Failure {
  begin(): void;
  end(): void;
  /** Whether the runtime still opens a workspace's file: where it can't, requests without a limit are refused too. */
  opens: boolean;
}

/** Requests that no limit covers are served, or refused where the runtime may not open the workspace's file. */
async function tryFree(scene: Scene, opens: boolean): Promise<void> {
  for (let sent = 0; sent < 3; sent += 1) {
    const answer = await send(scene, "free");
    if (opens || answer.status === 200) expect(answer.status).toBe(200);
    else expectStorageFailing(answer);
  }
}

/** What the docs promise while a disk fails and after it. */
async function outage(host: Host, { begin, end, opens }: Failure): Promise<Scene> {
  const scene = await setUp(host);
  await serve(scene, "limited", 10);
  const before = await failures(host);
  begin();
  await tryFree(scene, opens);
  await expect
    .poll(() => readiness(host), patience)
    .toMatchObject({ status: "unavailable", failed: "objects", checks: { objects: "failed" } });
  expect((await readiness(host))["message"]).toMatch(/disk|storage/i);
  // Each object has its own file: that of the workspace is tried after half a second.
  expectStorageFailing(await untilRefused(scene));
  await tryFree(scene, opens);
  if (opens) await expect.poll(() => failures(host), patience).toBeGreaterThan(before);
  const revoke = `DELETE /api/harnesses/free/keys/${scene.freeKeyId}`;
  await expect(admin(scene.limited.host, revoke)).rejects.toThrow("503");
  if (opens) await serve(scene, "free", 1);

  end();
  await expect.poll(() => readiness(host), patience).toMatchObject({ status: "ok" });
  await serve(scene, "limited", max - scene.served.limited);
  const over = await send(scene, "limited");
  expect([over.status, over.error["code"]]).toEqual([429, "limit_exceeded"]);
  expect(scene.served.limited).toBe(max);
  await expectBooked(scene);
  return scene;
}

/** The next process knows all of it too. */
async function expectKept(host: Host, scene: Scene): Promise<void> {
  const own = { ...scene.limited.host, base: host.base };
  const limited = { ...scene.limited, host: own };
  const kept = { ...scene, limited, free: { ...scene.free, host: own } };
  await expectBooked(kept);
  expect((await send(kept, "limited")).status).toBe(429);
  await serve(kept, "free", 1);
}

/** A gateway starts twice, and a failed write is tried again after up to ten seconds. */
const timeout = 300_000;

it.skipIf(!givesOwn)(
  "a full disk: limits hold to the request, and all is written when there is space",
  { timeout },
  async ({ onTestFinished }) => {
    const disk = await openDisk({ faults: false });
    onTestFinished(disk.remove);
    const host = await start(disk);
    onTestFinished(async () => void (await host.stop()));
    const scene = await outage(host, { begin: disk.fill, end: disk.free, opens: true });
    expect(await host.stop()).toBe(0);
    const next = await start(disk, host.adminToken);
    onTestFinished(async () => void (await next.stop()));
    await expectKept(next, scene);
  },
);

it.skipIf(!givesOwn || !compiles)(
  "I/O errors and a read-only disk: the same; a slow disk: it starts and serves",
  { timeout },
  async ({ onTestFinished }) => {
    const disk = await openDisk({ faults: true });
    onTestFinished(disk.remove);
    disk.fail("slow");
    const host = await start(disk);
    onTestFinished(async () => void (await host.stop()));
    const slow = await setUp(host);
    await serve(slow, "limited", max);
    expect((await send(slow, "limited")).status).toBe(429);
    await expectBooked(slow);
    disk.fail("none");
    const scenes = [slow];
    for (const fault of ["EIO", "EROFS"] as const)
      scenes.push(
        await outage(host, {
          begin: () => disk.fail(fault),
          end: () => disk.fail("none"),
          opens: false,
        }),
      );
    expect(await host.stop()).toBe(0);
    const next = await start(disk, host.adminToken);
    onTestFinished(async () => void (await next.stop()));
    for (const scene of scenes) await expectKept(next, scene);
  },
);
