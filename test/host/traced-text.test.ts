import { build } from "esbuild";
import { expect, it } from "vitest";
import { tracedText } from "../../scripts/host/traced-text.ts";

it("tells positions of the minified worker in the source's terms", async () => {
  const contents =
    "export function first() {\n  return 1;\n}\n\nexport const second = () => BigInt('x');\n";
  const { outputFiles } = await build({
    stdin: { contents, sourcefile: "src/file.ts", loader: "ts" },
    minify: true,
    format: "esm",
    sourcemap: "linked",
    outfile: "dist/worker.js",
    write: false,
  });
  const [map = "", code = ""] = outputFiles.map(({ text }) => text);
  const column = code.indexOf("BigInt") + 1;
  const stack = `Error: x\n    at Bt (worker.js:1:${column})\n    at other.js:1:${column}`;
  const traced = tracedText(stack, map);
  expect(traced).toMatch(/^Error: x\n {4}at Bt \(\S*src\/file\.ts:5:29\)\n/);
  expect(traced).toContain(`at other.js:1:${column}`);
  expect(tracedText("no stack", map)).toBe("no stack");
});
