/** What a billing system's signature opens: the plan of a workspace, and nothing else. */
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { billingSignature } from "../../src/store/billing.ts";
import { askAdmin } from "../kit/admin-api.ts";
import { gatewayEnv, send, sendIn } from "./kit/gateway.ts";
import { accessToken, arrived } from "./kit/people.ts";
import { asRoot, makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { routeTarget } from "./route-calls.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace();
});

async function signed(body: string, secret?: string): Promise<Record<string, string>> {
  const { BILLING_SECRET } = gatewayEnv;
  const settings = { BILLING_SECRET: secret ?? BILLING_SECRET };
  const signature = await billingSignature(settings, new TextEncoder().encode(body), Date.now());
  return { "x-gateway-signature": signature ?? "", "idempotency-key": crypto.randomUUID() };
}

async function planOf(): Promise<unknown> {
  return (await asRoot(undefined, `GET /api/workspaces/${place.id}`))["plan"];
}

const others = adminRoutes.filter(({ access }) => access !== "open" && access !== "billing");

describe("a right signature", () => {
  it("sets the plan", async () => {
    const body = JSON.stringify({ plan: "pro" });
    const headers = await signed(body);
    const call = `PUT /api/workspaces/${place.id}/plan`;
    expect((await askAdmin(send, call, { token: "", body, headers })).status).toBe(200);
    expect(await planOf()).toBe("pro");
  });

  it.each(others.map(({ name }) => name))("does not open %s", async (name) => {
    const call = await routeTarget(name, { place });
    const body = call.body === undefined ? "" : JSON.stringify(call.body);
    const headers = { ...(await signed(body)), "x-gateway-workspace": place.id };
    const given = { token: "", headers, ...(body !== "" && { body }) };
    const before = await storedText([place.id]);
    const { status, json } = await askAdmin(send, call.target, given);
    expect(status, JSON.stringify(json)).toBe(401);
    expect(JSON.stringify(json)).not.toContain(place.hidden);
    expect(await storedText([place.id])).toBe(before);
  });
});

describe("a wrong signature", () => {
  const body = JSON.stringify({ plan: "free" });

  it("is not mended by a credential that comes with it", async () => {
    const before = await planOf();
    const owner = await arrived(`payer.${place.canary}@corp.test`, { place, role: "owner" });
    const { text } = await accessToken(place, "owner", { of: owner });
    for (const token of ["", place.token, text, place.key, gatewayEnv.ADMIN_TOKEN]) {
      const headers = await signed(body, "another secret of as many letters");
      const call = `PUT /api/workspaces/${place.id}/plan`;
      expect((await askAdmin(send, call, { token, body, headers })).status).toBe(401);
    }
    expect(await planOf()).toBe(before);
  });

  it("is every signature where no secret is set", async () => {
    const { BILLING_SECRET: _, ...unset } = gatewayEnv;
    const call = `PUT /api/workspaces/${place.id}/plan`;
    for (const env of [unset, { ...unset, BILLING_SECRET: "" }]) {
      const headers = await signed(body);
      const reply = await askAdmin(sendIn(env), call, { token: "", body, headers });
      expect(reply.status).toBe(401);
    }
  });
});
