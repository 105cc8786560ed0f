import { build } from "esbuild";
import { expect, it } from "vitest";
import { tracedText } from "../../scripts/host/traced-text.ts";

it("tells positions in the minified modules in the source's terms", async () => {
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
  const maps = new Map([
    ["worker.js", map],
    ["chunks/pages-ABC.js", map],
  ]);
  const column = code.indexOf("BigInt") + 1;
  const places = ["worker.js", "chunks/pages-ABC.js", "other.js", "chunks/pages-OLD.js"];
  const stack = ["Error: x", ...places.map((file) => `    at Bt (${file}:1:${column})`)].join("\n");
  const [message, ...lines] = tracedText(stack, maps).split("\n");
  expect(message).toBe("Error: x");
  for (const line of lines.slice(0, 2)) expect(line).toMatch(/^ {4}at Bt \(src\/file\.ts:5:29\)$/);
  expect(lines.slice(2)).toEqual([
    `    at Bt (other.js:1:${column})`,
    `    at Bt (chunks/pages-OLD.js:1:${column})`,
  ]);
  expect(tracedText("no stack", maps)).toBe("no stack");
});
