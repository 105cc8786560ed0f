import { describe, expect, it } from "vitest";
import { workspaceStub } from "../../src/workspace/remote.ts";
import { asRoot, env, knock, person, read, type TestPerson } from "./device-kit.ts";

const root = "/v1/organizations/spend_limits";

interface Limit {
  id: string;
  scope: object;
  amount: string;
  period: string;
}

async function set(of: TestPerson, body: object) {
  return await asRoot(of.workspace, `POST ${root}`, body);
}

async function listed(of: TestPerson, query = ""): Promise<Limit[]> {
  const { json } = await asRoot(of.workspace, `GET ${root}${query}`);
  return json["data"] as unknown as Limit[];
}

const organization = { type: "organization" };

describe("the spend limits' API", () => {
  it("sets a limit for everybody, and changes it under the same id", async () => {
    const dev = await person();
    const body = { scope: organization, amount: "50000", period: "monthly" };
    const { status, json, headers } = await set(dev, body);
    expect(status).toBe(200);
    expect(headers.get("request-id")).toMatch(/^req_/);
    expect(json).toEqual({
      type: "spend_limit",
      id: expect.stringMatching(/^spl_[\da-f]{32}$/) as string,
      created_at: expect.stringMatching(/Z$/) as string,
      updated_at: expect.stringMatching(/Z$/) as string,
      scope: organization,
      amount: "50000",
      currency: "USD",
      period: "monthly",
    });
    const again = await set(dev, { ...body, amount: "60000" });
    expect(again.json).toMatchObject({ id: json["id"], amount: "60000" });
    const { config } = await workspaceStub(env, dev.workspace).snapshot();
    expect(config.person_limits).toMatchObject([
      { metric: "cost", period: "month", max: 600, action: "block" },
    ]);
  });

  it("sets a person's own, by any of their names", async () => {
    const dev = await person();
    for (const [name, amount] of [
      [dev.id, "100"],
      [dev.email, "200"],
    ])
      expect(
        (await set(dev, { scope: { type: "user", user_id: name }, amount, period: "daily" })).json,
      ).toMatchObject({ scope: { type: "user", user_id: dev.id }, amount });
    expect(await workspaceStub(env, dev.workspace).personLimits()).toMatchObject({
      [dev.id]: [{ metric: "cost", period: "day", max: 2 }],
    });
  });

  it("leaves limits of other kinds alone", async () => {
    const dev = await person();
    const tokens = { metric: "tokens", period: "day", max: 5, action: "block" } as const;
    await workspaceStub(env, dev.workspace).setPersonLimits(dev.id, [tokens]);
    const scope = { type: "user", user_id: dev.id };
    const { json } = await set(dev, { scope, amount: "0", period: "daily" });
    expect(await listed(dev)).toMatchObject([{ id: json["id"], amount: "0" }]);
    await asRoot(dev.workspace, `DELETE ${root}/${json["id"]}`);
    expect(await workspaceStub(env, dev.workspace).personLimits()).toEqual({ [dev.id]: [tokens] });
  });

  it("lists, finds and deletes", async () => {
    const dev = await person();
    for (const period of ["monthly", "daily"])
      await set(dev, { scope: organization, amount: "10", period });
    await set(dev, { scope: { type: "user", user_id: dev.id }, amount: "5", period: "weekly" });
    const all = await listed(dev);
    expect(all.map(({ period }) => period)).toEqual(["daily", "monthly", "weekly"]);
    const [first, second, third] = all.map(({ id }) => id);
    const page = await asRoot(dev.workspace, `GET ${root}?limit=1&after_id=${first}`);
    expect(page.json).toMatchObject({ has_more: true, first_id: second, last_id: second });
    expect(await listed(dev, "?scope_type=user")).toHaveLength(1);
    expect(await listed(dev, `?limit=1&before_id=${third}`)).toMatchObject([{ id: second }]);
    const gone = await asRoot(dev.workspace, `DELETE ${root}/${first}`);
    expect(gone.json).toEqual({ type: "spend_limit_deleted", id: first });
    for (const call of ["GET", "DELETE"])
      expect(await asRoot(dev.workspace, `${call} ${root}/${first}`)).toMatchObject({
        status: 404,
        json: {
          type: "error",
          error: { type: "not_found_error", message: "spend limit not found" },
        },
      });
  });

  it("shows which limit holds whom: a person's own before everybody's", async () => {
    const dev = await person();
    for (const period of ["monthly", "daily"])
      await set(dev, { scope: organization, amount: "10", period });
    await set(dev, { scope: { type: "user", user_id: dev.id }, amount: "5", period: "daily" });
    const { json } = await asRoot(dev.workspace, `GET ${root}/effective?user_ids[]=${dev.id}`);
    const actor = { type: "user_actor", user_id: dev.id, email_address: dev.email, deleted: false };
    expect(json).toMatchObject({
      data: [
        { period: "daily", amount: "5", source: { type: "user" }, actor },
        { period: "monthly", amount: "10", source: organization, period_to_date_spend: "0" },
      ],
      next_page: null,
    });
    const bad = await asRoot(dev.workspace, `GET ${root}/effective?period[]=hourly`);
    expect(bad.status).toBe(400);
    const other = await asRoot(dev.workspace, `GET ${root}/effective?q=nobody`);
    expect(other.json).toEqual({ data: [], next_page: null });
  });

  it.each([
    [{ amount: "1", period: "daily" }, "scope: Required"],
    [{ scope: { type: "user" }, amount: "1", period: "daily" }, "scope.user_id: Required"],
    [{ scope: { type: "x" }, amount: "1", period: "daily" }, "scope.type: Invalid discriminator"],
    [
      { scope: { type: "rbac_group" }, amount: "1", period: "daily" },
      "scope.type: limits of groups",
    ],
    [{ scope: organization, period: "daily" }, "amount: Required"],
    [
      { scope: organization, amount: 5, period: "daily" },
      "amount: Expected string, received number",
    ],
    [{ scope: organization, amount: "1.5", period: "daily" }, "amount: must be a whole-number"],
    [{ scope: organization, amount: null, period: "daily" }, "amount: null is not supported"],
    [{ scope: organization, amount: "5", period: "hourly" }, "period: Invalid enum value"],
    [{ scope: organization, amount: "5", period: "daily", currency: "EUR" }, "currency: Invalid"],
    [
      { scope: organization, amount: "5", period: "monthly", pooled_budget: { amount: "1" } },
      "pooled_budget: pooled budgets are not supported",
    ],
    [
      { scope: { type: "user", user_id: "x" }, amount: "1", period: "daily" },
      "scope.user_id: nobody",
    ],
  ])("refuses %j", async (body, words) => {
    const { status, json } = await set(await person(), body);
    const { error } = json as unknown as { error: { type: string; message: string } };
    expect([status, error.type]).toEqual([400, "invalid_request_error"]);
    expect(error.message).toContain(words);
  });

  it("wants credentials of the admin API", async () => {
    expect(await read(await knock(root))).toMatchObject({
      status: 401,
      json: { error: { message: "missing or invalid admin credentials" } },
    });
    const headers = { "x-api-key": env.ADMIN_TOKEN };
    expect((await knock(root, { headers })).status).toBe(200);
    expect((await knock(`${root}/x`, { method: "PUT", headers })).status).toBe(404);
  });
});
