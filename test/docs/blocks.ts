/** Fenced blocks of the documentation: what stands in them, the mark above them, and what the reader is told before. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Block {
  readonly file: string;
  /** Of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** `<!-- word: value -->` in the line above. */
  readonly mark?: Mark;
  /** What a reader has been told: the head of the page, and this section up to the block. */
  readonly before: string;
}

export interface Mark {
  readonly word: string;
  readonly value: string;
}

/** README.md and every page under docs. */
export function documentationFiles(): string[] {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" });
  const found = pages.filter((name) => name.endsWith(".md")).map((name) => path.join("docs", name));
  return ["README.md", ...found.sort()];
}

/** The blocks of one page, in order. */
export function blocksOf(file: string): Block[] {
  return readBlocks(file, readFileSync(file, "utf8"));
}

/** Blocks of a text; `file` is only carried along. */
export function readBlocks(file: string, text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  const head: string[] = [];
  let section: string[] = [];
  let inHead = true;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const fence = /^\s*(```+)(\w*)/.exec(line);
    if (fence === null) {
      if (/^#{2,6} /.test(line)) {
        inHead = false;
        section = [];
      }
      (inHead ? head : section).push(line);
      continue;
    }
    const [, ticks = "", language = ""] = fence;
    const end = lines.findIndex((other, index) => index > at && other.trim() === ticks);
    const mark = markIn(lines[at - 1] === "" ? lines[at - 2] : lines[at - 1]);
    blocks.push({
      file,
      line: at + 1,
      language,
      text: lines.slice(at + 1, end).join("\n"),
      ...(mark !== undefined && { mark }),
      before: [...head, ...section].join("\n"),
    });
    at = end;
  }
  return blocks;
}

function markIn(line: string | undefined): Mark | undefined {
  const found = /^\s*<!-- ([a-z]+)(?:: (.+))? -->$/.exec(line ?? "");
  return found === null ? undefined : { word: found[1] ?? "", value: found[2] ?? "" };
}
