/** A harness's rules of redaction as its page sets and tries them. */
import { expect, it } from "vitest";
import { harnessPage } from "./harness-page.ts";

const all = { redact_email: "on", redact_secret: "on", redact_card: "on" };

it("saves rules and patterns, and nothing where every rule holds alone", async () => {
  const { save, harness } = await harnessPage();
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
  const { save, harness } = await harnessPage();
  const answer = await save({ ...all, patterns: "ok\n(?=a)" });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain(
    'id="f-patterns-fault">Pattern 2, character 2: only ( and (?: groups are supported.',
  );
  const many = await save({ ...all, patterns: "a\n".repeat(21) });
  expect(await many.text()).toContain('id="f-patterns-fault">At most 20 are allowed.');
  expect(await harness()).not.toHaveProperty("redact");
});

it("shows a text as the form's rules would keep it, and saves nothing", async () => {
  const { save, harness } = await harnessPage();
  const sample = "ann@example.com <ACME-1> 4111111111111111";
  const form = { redact_email: "on", patterns: "ACME-[0-9]", sample, try: "1" };
  const answer = await save(form);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain("[email] &lt;[redacted]&gt; 4111111111111111</pre>");
  expect(page).toContain("ACME-[0-9]</textarea>");
  expect(await harness()).not.toHaveProperty("redact");
});
