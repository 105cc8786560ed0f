/** What is done on the dashboard is in the audit log like everything else: sign-ins, changes, and their undoing. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { env, object } from "../workspace/workers-kit.ts";

const own = { origin: "http://gateway.test", "content-type": "application/x-www-form-urlencoded" };

async function post(path: string, form: Record<string, string>, cookie = ""): Promise<Response> {
  const init = {
    method: "POST",
    redirect: "manual",
    headers: { ...own, cookie },
    body: new URLSearchParams(form).toString(),
  } as const;
  const request = new Request(`http://gateway.test/dashboard${path}`, init);
  return await worker.fetch(request, env, createExecutionContext());
}

async function signedIn() {
  const root = adminClient(
    async (request) => worker.fetch(request, env, createExecutionContext()),
    { token: env.ADMIN_TOKEN },
  );
  const made = await root.call("POST /api/workspaces", { body: { name: "Test" } });
  const answer = await post("/sign-in", { token: made.admin_token });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { workspace: made.id, cookie };
}

async function actionsOf(workspace: string): Promise<string[]> {
  const { events } = await object(workspace).pageAudit({ limit: 50, actor: "workspace_token" });
  return events.map(({ action }) => action);
}

describe("the dashboard", () => {
  it("tells the audit log who signed in and out", async () => {
    const { workspace, cookie } = await signedIn();
    await post("/sign-out", {}, cookie);
    await post("/sign-out", {}, cookie);
    expect(await actionsOf(workspace)).toEqual(["session.ended", "session.opened"]);
    await post("/sign-in", { token: "gwa_wrong" });
    expect(await actionsOf(workspace)).toHaveLength(2);
  });

  it("undoes the change that was made last, and no other", async () => {
    const { workspace, cookie } = await signedIn();
    const timezone = async () => (await object(workspace).snapshot()).config.timezone;
    for (const zone of ["Asia/Tokyo", "Europe/Rome"])
      await post("/settings/timezone", { timezone: zone }, cookie);
    const stale = await post("/settings/history/undo", { version: "2" }, cookie);
    expect([stale.status, await timezone()]).toEqual([409, "Europe/Rome"]);
    const back = "/dashboard/settings/import";
    const undone = await post("/settings/history/undo", { version: "3", back }, cookie);
    expect(undone.headers.get("location")).toBe("/dashboard/settings?done=undone&version=4");
    expect(await timezone()).toBe("Asia/Tokyo");
    expect((await actionsOf(workspace)).slice(0, 3)).toEqual([
      "config.restored",
      "config.changed",
      "config.changed",
    ]);
    const foreign = { version: "4", back: "//evil.example/dashboard/settings" };
    const elsewhere = await post("/settings/history/undo", foreign, cookie);
    expect(elsewhere.headers.get("location")).toBe(
      "/dashboard/settings/history?done=undone&version=5",
    );
  });
});
