/** Webhooks and notices as the pages and the API offer them. */
import { Webhook as Verifier } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "../../src/workspace/contract/events.ts";
import { askAdmin } from "../kit/admin-api.ts";
import { openLane } from "../kit/asking.ts";
import type { CookieJar } from "../kit/cookie-jar.ts";
import { browserOf, browserWith, callPage } from "../matrix/kit/browsers.ts";
import { gatewayEnv, send, sendIn } from "../matrix/kit/gateway.ts";
import { arrived } from "../matrix/kit/people.ts";
import { asRoot, makePlace, type Place } from "../matrix/kit/places.ts";

let place: Place;
let owner: CookieJar;

beforeAll(async () => {
  place = await makePlace();
  owner = await browserWith(place.token);
});

async function page(path: string, jar = owner): Promise<string> {
  const { status, text } = await callPage({ method: "GET", path: `/dashboard${path}` }, jar);
  expect(status, path).toBe(200);
  return text;
}

async function post(path: string, fields: Record<string, string>, jar = owner) {
  const form = new URLSearchParams(fields);
  return await callPage({ method: "POST", path: `/dashboard${path}`, form }, jar);
}

/** A receiver that answers with these statuses in turn. */
async function receiver(...statuses: number[]) {
  const lane = openLane();
  await lane.answer(...statuses.map((status) => ({ status, body: "" })));
  return lane;
}

/** The path of the webhook that the list's last row leads to. */
async function newestWebhook(): Promise<string> {
  const links = [...(await page("/webhooks")).matchAll(/\/dashboard(\/webhooks\/whk_\w+)"/g)];
  return links.at(-1)?.[1] ?? "";
}

describe("the page of webhooks", () => {
  it("adds one, shows its secret once, and that secret verifies what is sent", async () => {
    const lane = await receiver(204);
    const added = await post("/webhooks", { url: `${lane.url}/hook`, "key.expiring": "on" });
    expect(added.status).toBe(200);
    const secret = /whsec_[\w+/=]+/.exec(added.text)?.[0] ?? "";
    const path = await newestWebhook();
    for (const text of [await page("/webhooks"), await page(path)])
      expect(text).not.toContain("whsec_");
    const tested = await post(`${path}/test`, {});
    expect(tested.text).toContain("Test event delivered:");
    const [received] = await lane.received();
    const verified = new Verifier(secret).verify(received?.text ?? "", received?.headers ?? {});
    expect(verified).toMatchObject({ type: "test", data: { workspace: place.id } });
  });

  it("says how a test failed, and delivers the same event again by hand", async () => {
    const lane = await receiver(500, 200);
    await post("/webhooks", { url: lane.url, "key.expiring": "on" });
    const path = await newestWebhook();
    const failed = await post(`${path}/test`, {});
    expect(failed.status).toBe(200);
    expect(failed.text).toContain("Test event not delivered:");
    expect(failed.text).toContain("answered 500");
    const again = await post(`${path}/deliveries/1/retry`, {});
    expect(again.text).toContain("delivered:");
    const ids = (await lane.received()).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("keeps what was entered where it refuses, and says why", async () => {
    const refused = await post("/webhooks", { url: "ftp://x.example", "limit.near": "on" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Must be an http or https address.");
    expect(refused.text).toMatch(/value="ftp:\/\/x\.example"/);
    expect(refused.text).toMatch(/name="limit\.near" value="on" checked/);
    expect(refused.text).not.toMatch(/name="limit\.reached" value="on" checked/);
    const none = await post("/webhooks", { url: "https://x.example" });
    expect(none.text).toContain("Choose at least one event.");
  });

  it("asks before it deletes, and then sends nothing more", async () => {
    const lane = await receiver(200);
    await post("/webhooks", { url: lane.url, "key.expiring": "on" });
    const path = await newestWebhook();
    expect(await page(`${path}/delete`)).toContain("Delete the webhook to");
    expect((await post(`${path}/delete`, {})).location).toContain("done=webhook-deleted");
    expect((await post(`${path}/test`, {})).status).toBe(404);
    expect(await lane.received()).toEqual([]);
  });

  it("shows viewers where events go, without the path and without buttons", async () => {
    const url = "https://hooks.slack.com/services/T0/B0/path-is-a-secret";
    await asRoot(place.id, "POST /api/webhooks", { url, events: ["limit.near"], style: "slack" });
    const someone = await arrived(`${crypto.randomUUID()}@corp.test`, { place, role: "viewer" });
    const viewer = browserOf(someone);
    const path = await newestWebhook();
    for (const text of [await page("/webhooks", viewer), await page(path, viewer)]) {
      expect(text).toContain("hooks.slack.com/***");
      expect(text).not.toContain("path-is-a-secret");
      expect(text).not.toMatch(/Add webhook|Send test event|Delete/);
    }
    expect(await page(path)).toContain("path-is-a-secret");
  });
});

describe("POST /api/webhooks", () => {
  const ask = async (body: unknown, through = send) =>
    await askAdmin(through, "POST /api/webhooks", { token: place.token, body });

  it.each([
    ["ftp://receiver.example/"],
    ["receiver.example"],
    ["https://user@receiver.example/"],
    ["https://:secret@receiver.example/"],
    ["https://receiver.example/#part"],
    [`https://receiver.example/${"x".repeat(2100)}`],
    ["javascript:alert(1)"],
    [""],
  ])("refuses the address %j", async (url) => {
    const { status, json } = await ask({ url, events: ["limit.near"] });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain("url");
  });

  it.each([
    [[]],
    [["limit.near", "limit.near"]],
    [["limit.unknown"]],
    [["test"]],
    ["limit.near"],
    [[...eventTypes, "limit.near"]],
  ])("refuses the events %j", async (events) => {
    const { status } = await ask({ url: "https://receiver.example", events });
    expect(status).toBe(400);
  });

  it("refuses unknown members and styles", async () => {
    const good = { url: "https://receiver.example", events: ["limit.near"] };
    expect((await ask({ ...good, secret: "whsec_mine" })).status).toBe(400);
    expect((await ask({ ...good, style: "teams" })).status).toBe(400);
  });

  it.each([
    "http://127.0.0.1/hook",
    "http://[::1]/",
    "https://192.168.1.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "https://localhost:8443/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::ffff:10.0.0.1]/",
    "https://metadata.google.internal/",
  ])("refuses the private address %s in cloud mode", async (url) => {
    const cloud = sendIn({ ...gatewayEnv, ALLOW_PRIVATE_UPSTREAMS: "false" });
    const { status, json } = await ask({ url, events: ["limit.near"] }, cloud);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { code: "private_address" } });
    expect(JSON.stringify(json)).toContain("is a private network address");
  });

  it.each([
    ["slack", ["text", "blocks"]],
    ["discord", ["content", "embeds", "allowed_mentions"]],
  ])("sends messages as %s wants them, signed all the same", async (style, members) => {
    const lane = await receiver(200);
    const made = await ask({ url: lane.url, events: ["key.expiring"], style });
    const id = String(made.json["id"]);
    await askAdmin(send, `POST /api/webhooks/${id}/test`, { token: place.token });
    const [received] = await lane.received();
    expect(Object.keys(JSON.parse(received?.text ?? "") as object)).toEqual(members);
    const verifier = new Verifier(String(made.json["secret"]));
    expect(() => verifier.verify(received?.text ?? "", received?.headers ?? {})).not.toThrow();
  });

  it("takes twenty and no more", async () => {
    const full = await makePlace();
    const body = { url: "https://receiver.example", events: ["limit.near"] };
    const asked = { token: full.token, body };
    for (let made = 0; made < 20; made += 1)
      expect((await askAdmin(send, "POST /api/webhooks", asked)).status).toBe(201);
    const refused = await askAdmin(send, "POST /api/webhooks", asked);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json)).toContain("at most 20 are allowed");
  });
});

describe("the page of notices", () => {
  const hostile = [
    "<script>alert(1)</script>",
    "*_~ **bold** ||spoiler||",
    "@everyone",
    "&lt;!channel&gt;",
    `"><img src=x onerror=alert(1)>`,
  ];

  it("shows names as they are, whatever they hold, and counts what is new", async () => {
    const mine = await makePlace();
    const jar = await browserWith(mine.token);
    await page("/notices", jar);
    for (const name of hostile)
      await asRoot(mine.id, `POST /api/harnesses/${mine.harness}/keys`, { name });
    expect(newsOn(await page("", jar))).toBe("5");
    const text = await page("/notices", jar);
    expect(text).not.toMatch(/<script>alert|<img src=x/);
    for (const name of hostile) expect(text).toContain(`<strong class="anywhere">${escaped(name)}`);
    expect(text.match(/>New</g)).toHaveLength(5);
    expect(newsOn(await page("", jar))).toBeUndefined();
    expect((await page("/notices", jar)).match(/>New</g)).toBeNull();
  });

  it("counts each workspace by itself, and opens with whatever cookie", async () => {
    const forged = await browserWith(place.token);
    for (const value of ["x:y", "%00", `${place.id}:999999999999999999`, ":::", "a.b.c"]) {
      forged.plant("http://gateway.test", `gateway_notices=${value}; Path=/dashboard`);
      expect(await page("/notices", forged)).toContain("Notices");
    }
  });
});

/** The number on the menu. */
function newsOn(text: string): string | undefined {
  return /data-news="true"><span>(\d+)/.exec(text)?.[1];
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
