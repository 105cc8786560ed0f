/** A harness's rules of redaction as its page sets and tries them. */
import { createExecutionContext } from "cloudflare:test";
import { expect, it } from "vitest";
import type { HarnessEntry } from "../../src/store/config.ts";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());

/** A workspace with one harness, and a browser that is signed in as its owner. */
async function owner() {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const made = await root.call("POST /api/workspaces", { body: { name: "Team" } });
  const admin = adminClient(send, { token: made.admin_token });
  await admin.call("PUT /api/config", { body: { harnesses: [{ id: "h", name: "H" }] } });
  let cookie = "";
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    const headers = { origin: base, cookie };
    const body = new URLSearchParams(form);
    return await send(new Request(`${base}/dashboard${path}`, { method: "POST", headers, body }));
  };
  const signedIn = await post("/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    save: (form: Record<string, string>) => post("/harnesses/h/general", { name: "H", ...form }),
    harness: async (): Promise<HarnessEntry | undefined> =>
      (await admin.call("GET /api/config", {})).harnesses?.[0],
  };
}

const all = { redact_email: "on", redact_secret: "on", redact_card: "on" };

it("saves rules and patterns, and nothing where every rule holds alone", async () => {
  const { save, harness } = await owner();
  const patterns = "ACME-[0-9]{6}\r\n\r\n^x$\r\n";
  expect((await save({ redact_email: "on", patterns, trace_text: "on" })).status).toBe(303);
  expect(await harness()).toMatchObject({
    trace_text: true,
    redact: { rules: ["email"], patterns: ["ACME-[0-9]{6}", "^x$"] },
  });
  expect((await save({})).status).toBe(303);
  expect(await harness(), "a form that does not have them").toHaveProperty("redact");
  expect((await save({ ...all, patterns: "" })).status).toBe(303);
  expect(await harness()).not.toHaveProperty("redact");
  expect((await save({ patterns: "" })).status).toBe(303);
  expect(await harness()).toMatchObject({ redact: { rules: [] } });
});

it("refuses a pattern at its field", async () => {
  const { save, harness } = await owner();
  const answer = await save({ ...all, patterns: "ok\n(?=a)" });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain('id="f-patterns-fault">Pattern 2, character 2: (?…)');
  const many = await save({ ...all, patterns: "a\n".repeat(21) });
  expect(await many.text()).toContain('id="f-patterns-fault">At most 20 are allowed.');
  expect(await harness()).not.toHaveProperty("redact");
});

it("shows a text as the form's rules would keep it, and saves nothing", async () => {
  const { save, harness } = await owner();
  const sample = "ann@example.com <ACME-1> 4111111111111111";
  const form = { redact_email: "on", patterns: "ACME-[0-9]", sample, try: "1" };
  const answer = await save(form);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain("[email] &lt;[redacted]&gt; 4111111111111111</pre>");
  expect(page).toContain("ACME-[0-9]</textarea>");
  expect(await harness()).not.toHaveProperty("redact");
});
