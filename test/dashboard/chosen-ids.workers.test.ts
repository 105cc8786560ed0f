/** Ids that people choose may be any word, those of the dashboard's own addresses too. */
import { createExecutionContext } from "cloudflare:test";
import { beforeAll, expect, it } from "vitest";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import worker from "../../src/worker.ts";
import { adminClient, type AdminClient } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());

/** Every fixed word of an address, and others that addresses are likely to have one day. */
const words = [
  ...new Set([
    ...pageRights.flatMap(([, path]) => path.split("/").filter((part) => /^[a-z]/.test(part))),
    "new",
    "add",
    "edit",
    "local",
    "find",
    "all",
    "api",
    "auto",
    "null",
    "id",
    "0",
  ]),
];

let admin: AdminClient;
let cookie = "";
const ask = async (method: "GET" | "POST", path: string, form: Record<string, string> = {}) =>
  await send(
    new Request(`${base}/dashboard${path}`, {
      method,
      headers: { origin: base, cookie },
      ...(method === "POST" && { body: new URLSearchParams(form) }),
    }),
  );

beforeAll(async () => {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const made = await root.call("POST /api/workspaces", { body: { name: "Words" } });
  admin = adminClient(send, { token: made.admin_token });
  await admin.call("PUT /api/config", {
    body: {
      providers: words.map((id) => ({ id, kind: "demo" })),
      harnesses: words.map((id) => ({ id, name: `Harness ${id}` })),
    },
  });
  const signedIn = await ask("POST", "/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
});

/** Each asks for hundreds of pages; ms. */
const patience = 300_000;

it(
  "a provider of any name is shown, tested, saved and deleted",
  async () => {
    for (const id of words) {
      const shown = await ask("GET", `/providers/${id}`);
      expect(await shown.text(), id).toContain(`<h1>${id}</h1>`);
      const tested = await ask("POST", `/providers/${id}/test`);
      expect(tested.headers.get("location"), id).toBe(`/dashboard/providers/${id}?test=1`);
      const saved = await ask("POST", `/providers/${id}`, { id, kind: "demo", do: "save" });
      expect(saved.headers.get("location"), id).toBe(`/dashboard/providers/${id}?done=saved`);
      expect(await (await ask("GET", `/providers/${id}/delete`)).text(), id).toContain(
        `Delete ${id}?`,
      );
      expect((await ask("POST", `/providers/${id}/delete`)).status, id).toBe(303);
    }
    expect((await admin.call("GET /api/config", {})).providers).toEqual([]);
  },
  patience,
);

it(
  "a harness of any name has all of its pages, and its keys theirs",
  async () => {
    const pages = pageRights.filter(
      ([method, path]) => method === "GET" && path.startsWith("/harnesses/:id"),
    );
    for (const id of words) {
      const { id: key } = await admin.call("POST /api/harnesses/{id}/keys", {
        params: { id },
        body: { name: "k" },
      });
      for (const [, path] of pages) {
        const opened = await ask("GET", path.replace(":id", id).replace(":key", key));
        expect(opened.status, `${path} of ${id}`).toBe(200);
        await opened.text();
      }
    }
  },
  patience,
);
