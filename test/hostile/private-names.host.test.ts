/** In cloud mode no name leads into a private network, whatever it resolves to when it is asked. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { scratch } from "../smoke/host.ts";

const namespace = ["--map-root-user", "--mount", "--net"];

/** What the scenario beside this file printed; undefined where this machine gives it no network of its own. */
function scenario(...settings: string[]): unknown {
  const { folder, remove } = scratch();
  const script = "test/hostile/private-names/scenario.ts";
  const command = [process.execPath, "scripts/run.mjs", script, folder, ...settings];
  const { stdout, stderr } = spawnSync("unshare", [...namespace, ...command], {
    encoding: "utf8",
    timeout: 100_000,
  });
  remove();
  const line = /^outcome (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`the scenario printed no outcome:\n${stdout}${stderr}`);
  return JSON.parse(line);
}

const possible = ["unshare", "ip", "openssl"].every((program) => {
  const args = program === "unshare" ? [...namespace, "true"] : ["--help"];
  const { error, status } = spawnSync(program, args);
  return error === undefined && (program !== "unshare" || status === 0);
});
if (!possible)
  console.warn("this machine gives no network namespaces: names that turn private are not tested");

it.skipIf(!possible)(
  "a name that turns private between two calls is not called, nor is a redirect",
  () => {
    expect(scenario()).toEqual({
      asPublic: 200,
      toldAsPublic: 200,
      redirected: 502,
      toldRedirected: 307,
      redirectedByName: 502,
      afterRedirects: 0,
      asPrivate: 502,
      toldAsPrivate: null,
      tested: false,
      privateConnections: 0,
    });
  },
);

it.skipIf(!possible)("ALLOW_PRIVATE_UPSTREAMS opens it, for tests and trusted workspaces", () => {
  expect(scenario("ALLOW_PRIVATE_UPSTREAMS=1")).toMatchObject({
    asPublic: 200,
    afterRedirects: 0,
    privateConnections: expect.toSatisfy((count: number) => count > 0),
  });
});
