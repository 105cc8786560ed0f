/** Backups in the wrong hands: files that somebody made up, restores that hold up others', passphrases that cost time. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { BackupSealer } from "../../src/store/backup/format.ts";
import { writeFrame } from "../../src/store/backup/records.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { joined } from "../../src/lib/bytes.ts";
import { directoryStub } from "../../src/workspace/remote.ts";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { call, env, newKey, object, refusalOf, workspaces } from "../workspace/workers-kit.ts";

const passphrase = "correct horse battery";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());
const root = adminClient(send, { token: env.ADMIN_TOKEN });
const directory = () => directoryStub(env);

async function ownersPlace() {
  const made = await root.call("POST /api/workspaces", { body: { name: "One" } });
  return { id: made.id, client: adminClient(send, { token: made.admin_token }) };
}

/** A file of these frames, as anybody can seal it who has read how. */
async function madeUp(frames: readonly Uint8Array[]): Promise<Uint8Array> {
  const ring = await keyringOf(btoa("x".repeat(32)));
  const sealer = await BackupSealer.begin(passphrase, ring);
  const chunks = [sealer.head];
  for (const frame of frames) for await (const chunk of sealer.add(frame)) chunks.push(chunk);
  return joined([...chunks, await sealer.end()]);
}

const restoreOf = (client: ReturnType<typeof adminClient>, body: Uint8Array) =>
  client.call("POST /api/restore", { body, headers: { "x-gateway-passphrase": passphrase } });

async function fileOf(client: ReturnType<typeof adminClient>): Promise<Uint8Array> {
  const file = await client.call("POST /api/backup", { body: { passphrase } });
  return new Uint8Array(await file.arrayBuffer());
}

describe("an owner's file that this deployment did not write", () => {
  it("is refused before anything of it is unpacked", async () => {
    const { client } = await ownersPlace();
    // Two million objects in 20 KB, where a header should be.
    const bomb = await writeFrame(`[${"{},".repeat(2_000_000)}{}]`);
    await expect(restoreOf(client, await madeUp([bomb]))).rejects.toThrow(
      "not made by this deployment",
    );
  });
});

describe("a restore that does not come to its end", () => {
  const owners = { trust: "owner", whole: false } as const;

  it("holds up no other workspace's, and never the administrator's", async () => {
    const [one, other, whole] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const begin = (id: string, workspace: string) =>
      directory().beginRestore({ id, workspaces: [workspace], ...owners });
    expect(await begin(one, "wsp_one")).toBe(true);
    expect(await begin(crypto.randomUUID(), "wsp_one")).toBe(false);
    expect(await begin(other, "wsp_other")).toBe(true);
    const all = {
      id: whole,
      workspaces: ["wsp_one"],
      trust: "administrator",
      whole: true,
    } as const;
    expect(await directory().beginRestore(all)).toBe(true);
    expect(await directory().touchRestore(one)).toBe(false);
    expect(await begin(crypto.randomUUID(), "wsp_other")).toBe(false);
    // Who was given up ends nothing of the administrator's.
    await directory().endRestore(one);
    await directory().endRestore(other);
    expect(await directory().decideRestore(whole, true)).toBe(true);
    await directory().endRestore(whole, "wsp_one");
  });
});

describe("a restored workspace", () => {
  it("has no keys of people who have left since", async () => {
    const { id, client } = await ownersPlace();
    const [gone, stays] = [
      await newKey(id, "default", { person: "usr_gone" }),
      await newKey(id, "default", { person: "usr_stays" }),
    ];
    const file = await fileOf(client);
    await object(id).revokePerson("usr_gone");
    const outcome = await restoreOf(client, file);
    expect(outcome.workspaces[0]?.after.keys).toBe(1);
    expect(typeof (await workspaces.identify(gone.text))).toBe("string");
    const holder = await workspaces.identify(stays.text);
    if (typeof holder === "string") throw new Error(holder);
    expect(refusalOf(await call(holder))).not.toBe("unknown_key");
    await expect(newKey(id, "default", { person: "usr_gone" })).rejects.toThrow("left");
  });

  it("takes keys of people again who came back since", async () => {
    const { id, client } = await ownersPlace();
    await object(id).revokePerson("usr_back");
    const file = await fileOf(client);
    await object(id).welcomePerson("usr_back");
    await restoreOf(client, file);
    await newKey(id, "default", { person: "usr_back" });
  });
});

describe("passphrases", () => {
  it("of many backups at once leave most of the time to requests", async () => {
    const places = await Promise.all([ownersPlace(), ownersPlace()]);
    const began = Date.now();
    await Promise.all(places.map(({ client }) => fileOf(client)));
    // Twelve passes in all, each with a pause: together they would take half of that.
    expect(Date.now() - began).toBeGreaterThan(1200);
  });
});
