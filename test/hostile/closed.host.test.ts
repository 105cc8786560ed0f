/** Outside the platform no header chooses a caller's window, and forged keys cost those who have good ones nothing. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clone, freePort, newKey, npmRunDev, npmStart, scratch, type Host } from "../smoke/host.ts";

/** A process that starts on a busy machine. */
const patience = 120_000;

/** Headers in which platforms and proxies tell a client's address. */
const addressHeaders = ["CF-Connecting-IP", "X-Forwarded-For", "X-Real-IP", "True-Client-IP"];

const starts: Record<string, (folder: string) => Promise<Host>> = {
  "npm start": (folder) => npmStart({ state: folder }),
  "npm start in cloud mode": (folder) =>
    npmStart({ state: folder, environment: { MODE: "cloud" } }),
  "npm run dev in cloud mode": (folder) => npmRunDev(folder, { MODE: "cloud" }),
};

/** A key with other random bytes: everything right but the check. */
function forged(key: string, index: number): string {
  const at = key.length - 20;
  return key.slice(0, at) + String(index).padStart(6, "A") + key.slice(at + 6);
}

describe.each(Object.entries(starts))("%s", (_name, begin) => {
  const { folder, remove } = scratch();
  let host: Host;

  beforeAll(async () => {
    host = await begin(folder);
  }, patience);

  afterAll(async () => {
    await host.stop();
    remove();
  }, patience);

  async function list(key: string, headers: Record<string, string> = {}): Promise<number> {
    const answer = await fetch(`${host.base}/v1/models`, {
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** From an address of its own in every header, if anybody believes one. */
  const spoofed = (index: number): Record<string, string> =>
    Object.fromEntries(addressHeaders.map((name) => [name, `198.51.${index >> 8}.${index & 255}`]));

  it("counts forged calls as one address, whatever their headers say, and serves good keys meanwhile", async () => {
    const key = await newKey(host);
    const statuses: Record<number, number> = {};
    const served: number[] = [];
    for (let sent = 0; sent < 600; sent += 50) {
      const wrong = Array.from({ length: 50 }, (_, index) =>
        list(forged(key, sent + index), spoofed(sent + index)),
      );
      for (const status of await Promise.all(wrong)) statuses[status] = (statuses[status] ?? 0) + 1;
      served.push(await list(key));
    }
    expect(statuses).toEqual({ 401: 500, 429: 100 });
    expect(served).toEqual(Array(12).fill(200));
  });
});

describe("npm start in cloud mode where people sign in", () => {
  it("needs no administrator's token and makes none", async () => {
    const { folder, remove } = scratch();
    const environment = {
      MODE: "cloud",
      ADMIN_TOKEN: "",
      OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
      OIDC_CLIENT_ID: "gateway",
      OIDC_CLIENT_SECRET: "secret of the gateway",
    };
    const host = await npmStart({ state: `${folder}/state`, cwd: clone(folder), environment });
    const guesses = ["", "undefined", "null", "made"].map(async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${host.base}/api/config`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    });
    expect(await Promise.all(guesses)).toEqual([401, 401, 401, 401]);
    expect(host.output()).not.toContain("Admin token");
    expect(await host.stop()).toBe(0);
    const kept = `${folder}/state/secrets.json`;
    expect(existsSync(kept) ? readFileSync(kept, "utf8") : "").not.toContain("ADMIN_TOKEN");
    remove();
  });
});
