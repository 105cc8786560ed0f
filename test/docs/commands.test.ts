/** Every command, program and configuration file of the documentation runs in a test, is parsed, or is called untested. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { blocksOf, documentationFiles, readBlocks, type Block } from "./blocks.ts";
import { faultOf } from "./settled.ts";

const blocks = documentationFiles().flatMap(blocksOf);
const shells = new Set(["sh", "bash"]);

function placeOf({ file, line, language }: Block): string {
  return `${file}:${line} (${language})`;
}

it("each block is run, parsed, or called untested", () => {
  expect(blocks.length).toBeGreaterThan(60);
  const faults = blocks.flatMap((block) => {
    const fault = faultOf(block);
    return fault === undefined ? [] : [`${placeOf(block)}: ${fault}`];
  });
  expect(faults.join("\n")).toBe("");
});

it("each shell block is valid bash", () => {
  const faults = blocks
    .filter(({ language }) => shells.has(language))
    .flatMap((block) => {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: block.text, encoding: "utf8" });
      return status === 0 ? [] : [`${placeOf(block)}: ${stderr}`];
    });
  expect(faults.join("\n")).toBe("");
});

describe("what is demanded of a page", () => {
  const fence = "```";
  const faultIn = (text: string): string | undefined => {
    const [block] = readBlocks("page.md", text);
    return block === undefined ? "no block" : faultOf(block);
  };

  it("a command needs a mark, and a test that it names must be there", () => {
    expect(faultIn(`${fence}sh\nls\n${fence}`)).toMatch(/nobody says whether it works/);
    expect(faultIn(`<!-- run -->\n${fence}sh\nls\n${fence}`)).toBeUndefined();
    expect(faultIn(`<!-- tested: test/docs -->\n${fence}sh\nls\n${fence}`)).toBeUndefined();
    expect(faultIn(`<!-- tested: test/none.ts -->\n${fence}sh\nls\n${fence}`)).toMatch(
      /there is no/,
    );
  });

  it("an untested one is called so before the reader comes to it, in its section or at the page's head", () => {
    const block = `<!-- untested: needs Docker -->\n${fence}sh\nls\n${fence}`;
    expect(faultIn(block)).toMatch(/untested/);
    expect(faultIn(`Untested: needs Docker.\n\n## Set up\n\n${block}`)).toBeUndefined();
    expect(faultIn(`## One\n\nUntested.\n\n## Two\n\n${block}`)).toMatch(/untested/);
  });

  it("data is parsed, and ours is held against the schema", () => {
    expect(faultIn(`${fence}json\n{ "a": }\n${fence}`)).toMatch(/no valid json/);
    expect(faultIn(`${fence}toml\na = \n${fence}`)).toMatch(/no valid toml/);
    expect(faultIn(`${fence}yaml\na: [\n${fence}`)).toMatch(/no valid yaml/);
    const harness = (text: string): string =>
      `<!-- check: harness -->\n${fence}json\n${text}\n${fence}`;
    expect(faultIn(harness(`{ "id": "cc", "name": "CC" }`))).toBeUndefined();
    expect(faultIn(harness(`{ "id": 1 }`))).toMatch(/not what the harness schema takes/);
  });
});
