/** The bundle that every host runs: small enough to start fast, and with everything that the runtime calls by name. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundleHost, workerOptions } from "../../scripts/host/build/bundle.ts";
import { buildStaticFiles } from "../../scripts/host/build/client.ts";
import { root } from "../../scripts/host/paths.ts";
import { objects } from "../../scripts/host/workerd/worker.ts";
import { scratch } from "../smoke/host.ts";

/**
 * Bytes, compressed as for the platform. Every isolate loads the first, so it bounds the start. The second comes with the
 * first page, never with a request of `/v1`: it bounds what people wait for then, and grows with the pages.
 */
const mostBytes = { atStart: 450_000, onDemand: 170_000 };

let built: { code: ReadonlyMap<string, Uint8Array>; metafile: Metafile };
/** Modules by when they are loaded, as the metafile names them. */
let modules: { atStart: ReadonlySet<string>; onDemand: ReadonlySet<string> };

beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    ...workerOptions(await buildStaticFiles()),
    metafile: true,
  });
  const code = outputFiles.map((file) => [path.relative(root, file.path), file.contents] as const);
  built = { code: new Map(code), metafile };
  const atStart = reached("dist/worker.js", new Set());
  const all = Object.keys(metafile.outputs).filter((file) => file.endsWith(".js"));
  modules = { atStart, onDemand: new Set(all.filter((file) => !atStart.has(file))) };
});

/** The module and all that it imports by statements. */
function reached(file: string, seen: Set<string>): Set<string> {
  seen.add(file);
  for (const { kind, path: next } of importsOf(file))
    if (kind === "import-statement" && !seen.has(next)) reached(next, seen);
  return seen;
}

function importsOf(file: string): { kind: string; path: string }[] {
  const imports = built.metafile.outputs[file]?.imports ?? [];
  return imports.filter(({ external }) => external !== true);
}

function compressed(files: ReadonlySet<string>): number {
  const sizes = [...files].map((file) => gzipSync(built.code.get(file) ?? new Uint8Array()).length);
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** Files of src in these modules. */
function sourcesIn(files: ReadonlySet<string>): string[] {
  return [...files].flatMap((file) => Object.keys(built.metafile.outputs[file]?.inputs ?? {}));
}

describe("the worker's bundle", () => {
  it("has less than 450 KB that every isolate loads, compressed", () => {
    const bytes = compressed(modules.atStart);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(mostBytes.atStart);
  });

  it("has less than 170 KB that is loaded on demand, compressed", () => {
    const bytes = compressed(modules.onDemand);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(mostBytes.onDemand);
  });

  it("loads pages, the routes of the admin API and the document's schema on demand alone", () => {
    const late =
      /^src\/(dashboard|admin\/(routes|backup)|store\/backup)\/|^src\/store\/config\.ts$|^<define:DOCS/;
    expect(sourcesIn(modules.atStart).filter((file) => late.test(file))).toEqual([]);
    expect(sourcesIn(modules.onDemand).filter((file) => late.test(file)).length).toBeGreaterThan(
      50,
    );
  });

  it("holds zod's messages in English alone", () => {
    // `import { z } from "zod"` brings fifty; `import * as z from "zod"` leaves them out.
    const languages = Object.values(built.metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([file, { bytesInOutput }]) => file.includes("zod/v4/locales") && bytesInOutput > 0)
      .map(([file]) => file);
    expect(languages.filter((file) => !file.endsWith("/en.js"))).toEqual([]);
  });

  it("exports the classes of its objects under the names that the stored state knows", () => {
    const entry = built.metafile.outputs["dist/worker.js"];
    expect(entry?.exports.toSorted()).toEqual([...Object.values(objects), "default"].toSorted());
  });
});

it("a build leaves in its folder what its entry imports, and nothing of earlier ones", async () => {
  const { folder, remove } = scratch();
  onTestFinished(remove);
  mkdirSync(path.join(folder, "chunks"));
  writeFileSync(path.join(folder, "chunks", "pages-OLD.js"), "old");
  const { workerFile, chunkFiles } = await bundleHost(await buildStaticFiles(), { folder });
  expect(path.relative(folder, workerFile)).toBe("worker.js");
  const chunks = readdirSync(path.join(folder, "chunks")).filter((file) => file.endsWith(".js"));
  expect(chunks.toSorted()).toEqual(chunkFiles.map((file) => path.basename(file)).toSorted());
  expect(chunks).not.toContain("pages-OLD.js");
  expect(chunks.map((file) => `dist/chunks/${file}`).toSorted()).toEqual(
    [...modules.atStart, ...modules.onDemand]
      .filter((file) => file !== "dist/worker.js")
      .toSorted(),
  );
});
