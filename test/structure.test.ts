import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/** Folders of src from the ground up; those on one row do not see each other. */
const rows: string[][] = [
  ["lib"],
  ["core"],
  ["tokens", "translation"],
  ["formats/chat", "formats/responses", "formats/messages", "formats/gemini"],
  ["formats"],
  ["store"],
  ["policy"],
  ["workspace"],
  ["providers"],
  ["upstream"],
  ["routing"],
  ["gateway"],
  ["admin"],
  ["dashboard"],
  ["bindings"],
];
const longest = 1000;
/** Tables of numbers that a script writes: nobody reads them as code. */
const isData = (file: string) => file.endsWith("-data.ts");

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll("\\", "/"));

interface Import {
  target: string;
  /** Gone after compilation. */
  typeOnly: boolean;
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Static and dynamic imports of the project's own files, as paths below src. */
function importsOf(file: string): Import[] {
  const text = readFileSync(path.join("src", file), "utf8");
  const found = text.matchAll(/\b(import|export)\b(\s+type\b)?[^;"']*?["'](\.[^"']+)["']/g);
  return Array.from(found, ([, , typeWord, target = ""]) => ({
    target: path.posix.join(path.posix.dirname(file), target),
    typeOnly: typeWord !== undefined,
  }));
}

function folderOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (!file.includes("/")) return "bindings";
  return first === "formats" && second !== "index.ts" ? `${first}/${second}` : first;
}

function rowOf(file: string): number {
  return rows.findIndex((row) => row.includes(folderOf(file)));
}

describe("the layers of src", () => {
  it("every file lies in a known folder", () => {
    expect(files.filter((file) => rowOf(file) === -1)).toEqual([]);
  });

  it("a file imports its own folder and the rows below it, nothing else", () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter(({ target }) => folderOf(target) !== folderOf(file) && rowOf(target) >= rowOf(file))
        .map(({ target }) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("no file needs itself by a detour", () => {
    expect(cycles()).toEqual([]);
  });

  it(`no file is longer than ${longest} lines`, () => {
    const long = files
      .filter((file) => !isData(file))
      .map((file) => ({
        file,
        lines: readFileSync(path.join("src", file), "utf8").split("\n").length - 1,
      }))
      .filter(({ lines }) => lines > longest);
    expect(long).toEqual([]);
  });
});

/** Every import of values that closes a circle, found by one walk in depth. */
function cycles(): string[] {
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const visit = (file: string): void => {
    state.set(file, "open");
    for (const { target, typeOnly } of imports.get(file) ?? []) {
      if (typeOnly) continue;
      if (state.get(target) === "open") found.push(`${file} -> ${target}`);
      else if (!state.has(target)) visit(target);
    }
    state.set(file, "done");
  };
  for (const file of files) if (!state.has(file)) visit(file);
  return found;
}
