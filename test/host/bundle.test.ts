/** The bundle that every host runs: small enough to start fast, and with everything that the runtime calls by name. */
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { workerOptions } from "../../scripts/host/bundle.ts";
import { buildStaticFiles } from "../../scripts/host/client.ts";
import { objects } from "../../scripts/host/worker.ts";

/** Bytes, compressed as for the platform. */
const mostBytes = 400_000;

let code: Uint8Array;
let metafile: Metafile;

beforeAll(async () => {
  const options = workerOptions(await buildStaticFiles());
  const built = await build({ ...options, outfile: "dist/test.js", write: false, metafile: true });
  code = built.outputFiles?.find((file) => file.path.endsWith(".js"))?.contents ?? new Uint8Array();
  ({ metafile } = built);
});

describe("the worker's bundle", () => {
  it("has less than 400 KB, compressed", () => {
    const bytes = gzipSync(code).length;
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(mostBytes);
  });

  it("holds zod's messages in English alone", () => {
    // `import { z } from "zod"` brings fifty; `import * as z from "zod"` leaves them out.
    const languages = Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([file, { bytesInOutput }]) => file.includes("zod/v4/locales") && bytesInOutput > 0)
      .map(([file]) => file);
    expect(languages.filter((file) => !file.endsWith("/en.js"))).toEqual([]);
  });

  it("exports the classes of its objects under the names that the stored state knows", () => {
    const output = Object.values(metafile.outputs).find(({ exports }) => exports.length > 0);
    expect(output?.exports.toSorted()).toEqual([...Object.values(objects), "default"].toSorted());
  });
});
