/** Plans, retention, regions, export and deletion as the pages offer them. */
import { createExecutionContext } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { removalAnswer } from "../kit/removal-answer.ts";
import { env as bindings, object } from "../workspace/workers-kit.ts";

const PLANS = JSON.stringify({
  free: { monthly_requests: 100, retention_days: 7, members: 2 },
  pro: { monthly_requests: 5000, features: ["sso"] },
});
const env = { ...bindings, PLANS, MODE: "cloud", ALLOW_PRIVATE_UPSTREAMS: "true" };
/** Nothing listens there. */
const base_url = "http://127.0.0.1:9/v1";
const own = { origin: "http://gateway.test", "content-type": "application/x-www-form-urlencoded" };
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());
const root = adminClient(send, { token: env.ADMIN_TOKEN });

/** A browser that is signed in with that token. */
class Visit {
  readonly #cookie: string;

  private constructor(cookie: string) {
    this.#cookie = cookie;
  }

  static async signedIn(token: string): Promise<Visit> {
    const answer = await new Visit("").post("/sign-in", { token });
    return new Visit(answer.headers.get("set-cookie")?.split(";")[0] ?? "");
  }

  post(path: string, form: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams(form).toString();
    const headers = { ...own, cookie: this.#cookie };
    const init = { method: "POST", redirect: "manual", headers, body } as const;
    return send(new Request(`http://gateway.test/dashboard${path}`, init));
  }

  get(path: string): Promise<Response> {
    const init = { redirect: "manual", headers: { cookie: this.#cookie } } as const;
    return send(new Request(`http://gateway.test/dashboard${path}`, init));
  }

  async text(path: string): Promise<string> {
    return await (await this.get(path)).text();
  }

  /** Imports the document, whatever goes with it. */
  async import(document: string): Promise<void> {
    const preview = await (await this.post("/settings/import", { document })).text();
    const removes = removalAnswer(preview);
    await this.post("/settings/import/apply", { document, removes });
  }
}

let administrator: Visit;

beforeEach(async () => {
  administrator = await Visit.signedIn(env.ADMIN_TOKEN);
});

async function newWorkspace() {
  const made = await root.call("POST /api/workspaces", { body: { name: "Team" } });
  const owner = await Visit.signedIn(made.admin_token);
  const document = JSON.stringify({ harnesses: [{ id: "default", name: "Default" }] });
  // What a new workspace begins with goes.
  await owner.import(document);
  return { ...made, owner };
}

describe("the pages of workspaces", () => {
  it("show the plan with its bounds, and change it", async () => {
    const { id } = await newWorkspace();
    const page = `/workspaces/${id}`;
    expect(await administrator.text(page)).toContain("<dd>100</dd>");
    const changed = await administrator.post(`${page}/plan`, { plan: "pro" });
    expect(changed.headers.get("location")).toBe(`/dashboard${page}?done=plan`);
    const text = await administrator.text(page);
    expect(text).toContain("<dd>5,000</dd>");
    expect(text).toContain("sso");
    const { events } = await object(id).pageAudit({ limit: 5, action: "plan.changed" });
    expect(events[0]).toMatchObject({ actor: { type: "root" } });
  });

  it("refuse a plan that the setting does not have", async () => {
    const { id } = await newWorkspace();
    for (const plan of ["", "gold"]) {
      const answer = await administrator.post(`/workspaces/${id}/plan`, { plan });
      expect([answer.status, await answer.text()]).toEqual([
        422,
        expect.stringContaining('aria-invalid="true"'),
      ]);
    }
  });

  it("make a workspace with the first plan, in a jurisdiction", async () => {
    const form = { name: "Berlin", monthly_requests: "", jurisdiction: "eu" };
    expect((await administrator.post("/workspaces", form)).status).toBe(200);
    const { data } = await root.call("GET /api/workspaces", {});
    const made = data.find(({ name }) => name === "Berlin");
    expect(made).toMatchObject({ plan: "free", jurisdiction: "eu", monthly_requests: null });
    const refused = await administrator.post("/workspaces", { ...form, jurisdiction: "moon" });
    expect(refused.status).toBe(422);
  });
});

describe("the settings of a workspace", () => {
  it("show the plan that holds, and what it keeps", async () => {
    const { owner } = await newWorkspace();
    const text = await owner.text("/settings");
    expect(text).toContain("This workspace is on the plan free.");
    expect(text).toContain("The plan free keeps at most 7 days.");
  });

  it("save retention and regions, and take them back", async () => {
    const { id, owner } = await newWorkspace();
    const form = { retention_days: "3", retention_rows: "500", provider_regions: "eu,us" };
    expect((await owner.post("/settings/data", form)).status).toBe(303);
    expect((await object(id).snapshot()).config).toMatchObject({
      retention: { days: 3, rows: 500 },
      provider_regions: ["eu", "us"],
    });
    await owner.post("/settings/data", {});
    const { config } = await object(id).snapshot();
    expect([config.retention, config.provider_regions]).toEqual([undefined, undefined]);
  });

  it.each([
    ["retention_days", "0"],
    ["retention_days", "401"],
    ["retention_days", "1.5"],
    ["retention_rows", "10001"],
    ["provider_regions", "eu,moon"],
  ])("refuse %s of %s", async (name, value) => {
    const { id, owner } = await newWorkspace();
    const answer = await owner.post("/settings/data", { [name]: value });
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('aria-invalid="true"'),
    ]);
    expect((await object(id).snapshot()).config.retention).toBeUndefined();
  });

  it("name the providers that are in no allowed region", async () => {
    const { owner } = await newWorkspace();
    const provider = { kind: "openai", id: "oa", api_key: "test-key", base_url };
    const document = JSON.stringify({ providers: [provider] });
    await owner.import(document);
    const refused = await owner.post("/settings/data", { provider_regions: "eu" });
    expect(await refused.text()).toMatch(/or delete them: oa/);
    const inRegion = JSON.stringify({ providers: [{ ...provider, region: "eu" }] });
    await owner.post("/settings/import/apply", { document: inRegion });
    expect((await owner.post("/settings/data", { provider_regions: "eu" })).status).toBe(303);
  });
});

describe("the region of a provider", () => {
  it("stays when its form is saved again", async () => {
    const { owner } = await newWorkspace();
    const entry = { id: "oa", kind: "openai", api_key: "test-key", base_url, region: "us" };
    const document = JSON.stringify({ providers: [entry] });
    await owner.import(document);
    expect(await owner.text("/providers/oa")).toMatch(/<option value="us" selected/);
  });
});

describe("how a harness gives errors", () => {
  it("is saved, and missing where it is what holds anyway", async () => {
    const { id, owner } = await newWorkspace();
    const errorsOf = async () => (await object(id).snapshot()).config.harnesses?.[0]?.errors;
    const page = "/harnesses/default/general";
    await owner.post(page, { name: "Default", errors: "status" });
    expect(await errorsOf()).toBe("status");
    await owner.post(page, { name: "Default" });
    expect(await errorsOf()).toBe("status");
    await owner.post(page, { name: "Default", errors: "spoken" });
    expect(await errorsOf()).toBeUndefined();
    expect((await owner.post(page, { name: "Default", errors: "loud" })).status).toBe(422);
  });
});

describe("the end of a workspace", () => {
  it("is offered to its owner with an export of everything first", async () => {
    const { id, owner } = await newWorkspace();
    const page = `/workspaces/${id}`;
    expect(await owner.text("/settings")).toContain(`/dashboard${page}/delete`);
    expect(await owner.text(`${page}/delete`)).toContain(`/dashboard${page}/export`);
    const exported = await owner.get(`${page}/export`);
    expect(exported.headers.get("content-disposition")).toContain(`workspace-${id}.jsonl`);
    const first = new TextDecoder().decode(await exported.arrayBuffer()).split("\n")[0] ?? "";
    expect(JSON.parse(first)).toMatchObject({ type: "workspace", id });
  });

  it("needs its id to be typed", async () => {
    const { id, owner } = await newWorkspace();
    const page = `/workspaces/${id}/delete`;
    for (const confirm of ["", "Team", `${id}x`])
      expect((await owner.post(page, { confirm })).status).toBe(422);
    expect((await root.call("GET /api/workspaces", {})).data.map((one) => one.id)).toContain(id);
    const deleted = await owner.post(page, { confirm: ` ${id} ` });
    expect([deleted.status, deleted.headers.get("location")]).toEqual([
      303,
      "/dashboard?done=workspace-deleted",
    ]);
    expect((await root.call("GET /api/workspaces", {})).data.map((one) => one.id)).not.toContain(
      id,
    );
    expect((await owner.get("/settings")).headers.get("location")).toBe("/dashboard/sign-in");
  });

  it("leads the deployment's administrator back to the list", async () => {
    const { id } = await newWorkspace();
    const deleted = await administrator.post(`/workspaces/${id}/delete`, { confirm: id });
    expect(deleted.headers.get("location")).toBe("/dashboard/workspaces?done=workspace-deleted");
    expect((await administrator.get(`/workspaces/${id}`)).status).toBe(404);
    expect((await administrator.get(`/workspaces/${id}/delete`)).status).toBe(404);
  });

  it("does not exist for the default one", async () => {
    const page = "/workspaces/default/delete";
    expect(await administrator.text(page)).toContain("The default workspace can&#39;t be deleted.");
    expect((await administrator.post(page, { confirm: "default" })).status).toBe(422);
    expect(await administrator.text("/settings")).not.toContain(page);
  });
});
