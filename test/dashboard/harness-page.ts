/** The general page of a harness in a workspace of its own, as a browser signed in as its owner has it. */
import { createExecutionContext } from "cloudflare:test";
import type { Config, HarnessEntry } from "../../src/store/config.ts";
import worker from "../../src/worker.ts";
import { adminClient } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());

/** A workspace with the harness `h` and what else `document` says. */
export async function harnessPage(document: Config = {}) {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const made = await root.call("POST /api/workspaces", { body: { name: "Team" } });
  const admin = adminClient(send, { token: made.admin_token });
  await admin.call("PUT /api/config", {
    body: { ...document, harnesses: [{ id: "h", name: "H" }] },
  });
  let cookie = "";
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    const headers = { origin: base, cookie };
    const body = new URLSearchParams(form);
    return await send(new Request(`${base}/dashboard${path}`, { method: "POST", headers, body }));
  };
  const signedIn = await post("/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    post,
    save: (form: Record<string, string>) => post("/harnesses/h/general", { name: "H", ...form }),
    harness: async (): Promise<HarnessEntry | undefined> =>
      (await admin.call("GET /api/config", {})).harnesses?.[0],
  };
}
