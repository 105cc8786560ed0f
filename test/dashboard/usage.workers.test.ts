/** The page of charts: what its address asks for, in words and in tables. */
import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { attempt, env, object, row } from "../workspace/workers-kit.ts";

async function get(path: string, headers: Record<string, string>): Promise<Response> {
  const request = new Request(`http://gateway.test/dashboard${path}`, { headers });
  return await worker.fetch(request, env, createExecutionContext());
}

/** A new workspace with a reader of its pages. */
async function opened() {
  const root = adminClient(
    async (request) => worker.fetch(request, env, createExecutionContext()),
    { token: env.ADMIN_TOKEN },
  );
  const made = await root.call("POST /api/workspaces", { body: { name: "Test" } });
  const request = new Request("http://gateway.test/dashboard/sign-in", {
    method: "POST",
    redirect: "manual",
    headers: { origin: "http://gateway.test", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token: made.admin_token }).toString(),
  });
  const answer = await worker.fetch(request, env, createExecutionContext());
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const page = async (search: string, headers: Record<string, string> = {}): Promise<string> =>
    await (await get(`/usage${search}`, { cookie, ...headers })).text();
  return { workspace: made.id, page, cookie };
}

/** Three requests of two keys: a cheap one, a dear one, and one that a limit refused. */
async function used(workspace: string): Promise<void> {
  const none = { attempts: [], model: null, usage: null, cost: null, first_byte_ms: null };
  const key = (n: number) => ({ key_id: `key_${n}`, key_name: `name ${n}` });
  const dear = { attempts: [attempt({ cost: 2 })], session_id: "<b>dear</b>" };
  await object(workspace).settleLate(row("one", { ...key(1), first_byte_ms: 100, outcome: "ok" }));
  await object(workspace).settleLate(row("two", { ...key(2), ...dear, outcome: "ok" }));
  await object(workspace).log(
    row("three", { ...key(1), ...none, status: 429, outcome: "blocked" }),
  );
}

/** The texts of the cells, a list a row, of the table with that caption. */
function cellsOf(page: string, caption: string): string[][] {
  const [, table = ""] = page.split(`${caption}</caption>`);
  const body = table.split("</table>")[0]?.split("<tbody")[1] ?? "";
  const rows = body.split("<tr").slice(1);
  const texts = (text: string) =>
    Array.from(text.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs), ([, cell = ""]) =>
      cell.replace(/<\/?a\b[^>]*>/g, "").trim(),
    );
  return rows.map(texts);
}

describe("the page of charts", () => {
  it("says that there is nothing yet, and what will be", async () => {
    const { page } = await opened();
    const text = await page("");
    expect(text).toContain("No requests in this time range.");
    expect(text).not.toContain("data-chart");
  });

  it("shows every group with its numbers, sorted as asked, and all together", async () => {
    const { workspace, page } = await opened();
    await used(workspace);
    const rows = cellsOf(await page("?group=key&sort=cost"), "Usage by key");
    expect(rows.map(([name, requests, , blocked]) => [name, requests, blocked])).toEqual([
      ["name 2 (key_2)", "1", "0"],
      ["name 1 (key_1)", "1", "1"],
      ["All requests", "2", "1"],
    ]);
    expect(rows.at(-1)?.at(-1)).toBe("$2.00");
    const byName = cellsOf(await page("?group=key&sort=name"), "Usage by key");
    expect(byName[0]?.[0]).toBe("name 1 (key_1)");
  });

  it("leads from each group to its requests in the same time", async () => {
    const { workspace, page } = await opened();
    await used(workspace);
    const at = "/dashboard/requests?";
    expect(await page("?group=key")).toContain(`href="${at}key=key_2&amp;span=24h"`);
    expect(await page("?group=session&range=month")).toMatch(
      /requests\?session=%3Cb%3Edear%3C%2Fb%3E&amp;from=\d{4}-\d\d-01T00/,
    );
    expect(await page("?group=tier")).not.toContain(`href="${at}`);
  });

  it("gives each chart's numbers as a table, and keeps texts of clients text", async () => {
    const { workspace, page } = await opened();
    await used(workspace);
    const text = await page("?group=session&range=1h");
    expect(text).not.toContain("<b>dear</b>");
    for (const chart of [
      "Requests",
      "Cost",
      "Failed and blocked requests",
      "Time to first token (TTFT)",
    ])
      expect(cellsOf(text, `${chart} over time`).length, chart).toBeGreaterThanOrEqual(4);
    const blocked = cellsOf(text, "Failed and blocked requests over time").map(([, , count]) =>
      Number(count),
    );
    expect(blocked.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  it("says how far the log reaches back where the range begins before", async () => {
    const { workspace, page } = await opened();
    await used(workspace);
    expect(await page("?group=key")).not.toContain("The log reaches back to");
    const id = env.WORKSPACE.idFromName(workspace);
    await runInDurableObject(env.WORKSPACE.get(id), (_instance, { storage: { sql } }) => {
      sql.exec("DELETE FROM requests WHERE seq = 1");
    });
    expect(await page("?group=key")).toContain("The log reaches back to");
    expect(await page("?group=model")).not.toContain("The log reaches back to");
  });

  it("refuses wrong times beside their field", async () => {
    const { page } = await opened();
    const text = await page("?range=custom&from=x&to=2026-01-01T00:00");
    expect(text).toContain("Must be a date and a time.");
    expect(text).toContain('aria-invalid="true"');
  });

  it("gives its changing part alone, and follows only ranges that go on", async () => {
    const { workspace, page } = await opened();
    await used(workspace);
    const part = await page("", { "x-part": "numbers" });
    expect(part).toContain("data-chart");
    expect(part).not.toContain("<html");
    expect(await page("")).toContain('id="live"');
    const past = "?range=custom&from=2026-01-01T00:00&to=2026-01-02T00:00";
    expect(await page(past)).not.toContain('id="live"');
  });

  it("gives the same as a file", async () => {
    const { workspace, cookie } = await opened();
    await used(workspace);
    const answer = await get("/usage/export?group=key&range=24h&format=csv", { cookie });
    expect(answer.headers.get("content-disposition")).toContain("usage.csv");
    expect((await answer.text()).split("\r\n")).toHaveLength(4);
  });
});
