import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import { assetsFolder } from "../../scripts/host/build/assets.ts";
import {
  assetsBinding,
  compatibilityDate,
  compatibilityFlags,
  kvBinding,
  objects,
  settings,
} from "../../scripts/host/workerd/worker.ts";
import { distFolder, root } from "../../scripts/host/paths.ts";
import { scratch } from "../smoke/host.ts";

/** What of wrangler's answer is compared here; its own types lean on packages that it does not bring. */
interface Described {
  name: string;
  observability: unknown;
  limits: { cpu_ms?: number };
  compatibility_date: string;
  compatibility_flags: string[];
  kv_namespaces: { binding: string }[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[] }[];
  vars: Record<string, string>;
  assets?: { directory?: string; binding?: string; run_worker_first?: boolean | string[] };
}

/** What `wrangler` makes of one deployment; undefined: `npm run dev`. */
function described(env?: string): Described {
  return readConfig({ config: "wrangler.toml", ...(env !== undefined && { env }) });
}

it.each([undefined, "staging", "production"])(
  "wrangler.toml and the launcher describe the same worker: %s",
  (env) => {
    const config = described(env);
    expect(config.compatibility_date).toBe(compatibilityDate);
    expect(config.compatibility_flags).toEqual(compatibilityFlags);
    expect(config.kv_namespaces.map(({ binding }) => binding)).toEqual([kvBinding]);
    // Nothing is served around the Worker: it checks hosts and writes the policies of its pages.
    expect(config.assets).toEqual({
      directory: path.relative(root, assetsFolder),
      binding: assetsBinding,
      run_worker_first: true,
    });
    const bound = config.durable_objects.bindings.map(({ name, class_name }) => [name, class_name]);
    expect(Object.fromEntries(bound)).toEqual(objects);
    expect(config.migrations.flatMap((step) => step.new_sqlite_classes ?? [])).toEqual(
      Object.values(objects),
    );
    const said = Object.entries(settings).filter(([, value]) => value !== "");
    const mode = env === undefined ? {} : { MODE: "cloud" };
    expect(config.vars).toEqual({ ...Object.fromEntries(said), ...mode });
  },
);

it("a deployment without a name of its environment replaces no other", () => {
  const names = [undefined, "staging", "production"].map((env) => described(env).name);
  expect(new Set(names).size).toBe(3);
});

it.each(["staging", "production"])("%s keeps a log without addresses of requests", (env) => {
  const { name, observability, limits } = described(env);
  expect(name).toBe(env === "production" ? "routing-gateway" : `routing-gateway-${env}`);
  expect(observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } });
  expect(limits.cpu_ms).toBe(30_000);
});

it.each(["staging", "production"])(
  "%s can be deployed: wrangler takes the bundle and every binding",
  (env) => {
    const { folder, remove } = scratch();
    onTestFinished(remove);
    const { status, stdout, stderr } = spawnSync(
      "npx",
      ["wrangler", "deploy", "--dry-run", "--env", env, "--outdir", path.join(folder, "out")],
      { encoding: "utf8", env: { ...process.env, WRANGLER_LOG_PATH: path.join(folder, "logs") } },
    );
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain("WARNING");
    for (const binding of [...Object.keys(objects), kvBinding, assetsBinding])
      expect(stdout).toContain(`env.${binding}`);
    expect(readdirSync(path.join(folder, "out"))).toContain("worker.js");
    // Else the first page of a deployment finds no module.
    expect(readdirSync(path.join(folder, "out", "chunks")).toSorted()).toEqual(
      readdirSync(path.join(distFolder, "chunks"))
        .filter((file) => file.endsWith(".js"))
        .toSorted(),
    );
  },
  180_000,
);
