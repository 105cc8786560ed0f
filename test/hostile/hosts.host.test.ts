/** A foreign name that points at the gateway (DNS rebinding) opens none of its pages; programs are not concerned. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactly } from "../smoke/gateway.ts";
import { newKey, npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
/** A process that starts on a busy machine. */
const patience = 120_000;

let host: Host;
let key: string;

beforeAll(async () => {
  const environment = { PUBLIC_URL: "https://gateway.example.com" };
  host = await npmStart({ state: space.folder, environment });
  key = await newKey(host);
}, patience);

afterAll(async () => {
  await host.stop();
  space.remove();
}, patience);

const foreign = "evil.example";
const get = (path: string, headers: Record<string, string>) => exactly(host, { path, headers });

describe("under a foreign name", () => {
  it.each(["/", "/dashboard", "/dashboard/sign-in", "/dashboard/assets/main.js"])(
    "%s is refused, and the answer says what to set",
    async (path) => {
      const answer = await get(path, { host: foreign });
      expect(answer.status).toBe(421);
      expect(answer.text).toContain(`"${foreign}"`);
      expect(answer.text).toContain("ALLOWED_HOSTS");
    },
  );

  it("nobody signs in, though the origin is that name too", async () => {
    const headers = {
      host: foreign,
      origin: `http://${foreign}`,
      "content-type": "application/x-www-form-urlencoded",
    };
    const chunks = [`token=${host.adminToken}`];
    const answer = await exactly(host, {
      path: "/dashboard/sign-in",
      method: "POST",
      headers,
      chunks,
    });
    expect(answer.status).toBe(421);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("keys, administrators' tokens and health checks are served", async () => {
    const bearer = (token: string) => ({ host: foreign, authorization: `Bearer ${token}` });
    expect((await get("/v1/models", bearer(key))).status).toBe(200);
    expect((await get("/api/config", bearer(host.adminToken))).status).toBe(200);
    expect((await get("/healthz", { host: foreign })).status).toBe(200);
  });
});

describe("under its own hosts the sign-in page is shown", () => {
  it.each(["localhost", "LOCALHOST:2099", "127.0.0.1", "192.168.1.7:2099", "gateway.example.com"])(
    "%s",
    async (name) => {
      expect((await get("/dashboard/sign-in", { host: name })).status).toBe(200);
    },
  );
});
