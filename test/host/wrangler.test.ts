import { expect, it } from "vitest";
import { unstable_readConfig as readConfig } from "wrangler";
import {
  compatibilityDate,
  compatibilityFlags,
  kvBinding,
  objects,
  settings,
} from "../../scripts/host/worker.ts";

/** What of wrangler's answer is compared here; its own types lean on packages that it does not bring. */
interface Described {
  compatibility_date: string;
  compatibility_flags: string[];
  kv_namespaces: { binding: string }[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  migrations: { new_sqlite_classes?: string[] }[];
  vars: Record<string, string>;
}

it("wrangler.toml and the launcher describe the same worker", () => {
  const config: Described = readConfig({ config: "wrangler.toml" });
  expect(config.compatibility_date).toBe(compatibilityDate);
  expect(config.compatibility_flags).toEqual(compatibilityFlags);
  expect(config.kv_namespaces.map(({ binding }) => binding)).toEqual([kvBinding]);
  const bound = config.durable_objects.bindings.map(({ name, class_name }) => [name, class_name]);
  expect(Object.fromEntries(bound)).toEqual(objects);
  expect(config.migrations.flatMap((step) => step.new_sqlite_classes ?? [])).toEqual(
    Object.values(objects),
  );
  const said = Object.entries(settings).filter(([, value]) => value !== "");
  expect(config.vars).toMatchObject(Object.fromEntries(said));
});
