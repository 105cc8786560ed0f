/** The architecture of src (docs/architecture.md), held by rules that print every place that breaks them. */
import { describe, expect, it } from "vitest";
import { exportsOf, importsOf, sourceFiles, withoutComments } from "./kit/source.ts";

/** Folders from the ground up: a file imports its own folder and the rows below. Folders of a row do not see each other. */
const rows: readonly (readonly string[])[] = [
  ["lib"],
  ["core"],
  ["tokens", "translation"],
  ["formats/chat", "formats/responses", "formats/messages", "formats/gemini"],
  ["formats"],
  ["operations"],
  ["redaction"],
  ["store"],
  ["policy"],
  ["workspace"],
  ["providers"],
  ["upstream"],
  ["routing"],
  ["telemetry"],
  ["gateway"],
  ["admin"],
  ["sign-in"],
  ["dashboard"],
  // The files of src itself: app.ts, worker.ts, bindings.ts.
  [""],
];

/** Fields of model requests and of their headers, of all formats, that mean nothing in plain English. */
const wireFields = [
  // Chat completions
  "max_tokens",
  "max_completion_tokens",
  "stream_options",
  "include_usage",
  "include_obfuscation",
  "reasoning_effort",
  "response_format",
  "json_schema",
  "tool_choice",
  "tool_calls",
  "tool_call_id",
  "parallel_tool_calls",
  "function_call",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "top_logprobs",
  "top_p",
  "web_search_options",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "image_url",
  "input_audio",
  // Responses
  "max_output_tokens",
  "max_tool_calls",
  "previous_response_id",
  "input_text",
  "input_image",
  "input_file",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "encrypted_content",
  "item_reference",
  // Messages
  "stop_sequences",
  "budget_tokens",
  "cache_control",
  "tool_use",
  "tool_use_id",
  "tool_result",
  "input_schema",
  "redacted_thinking",
  "disable_parallel_tool_use",
  "context_management",
  "mcp_servers",
  "output_config",
  "output_format",
  "top_k",
  "anthropic-version",
  "anthropic-beta",
  // Gemini
  "generationConfig",
  "systemInstruction",
  "safetySettings",
  "toolConfig",
  "functionDeclarations",
  "functionCallingConfig",
  "functionCall",
  "functionResponse",
  "inlineData",
  "fileData",
  "maxOutputTokens",
  "stopSequences",
  "candidateCount",
  "responseMimeType",
  "responseSchema",
  "responseJsonSchema",
  "thinkingConfig",
  "thinkingBudget",
  "thinkingLevel",
  "includeThoughts",
  "cachedContent",
  "x-goog-api-key",
];

/** Fields with ordinary names: of a wire only where they are read off a body by their name. */
const ordinaryFields = [
  "model",
  "stream",
  "input",
  "messages",
  "contents",
  "tools",
  "system",
  "stop",
  "n",
  "user",
  "temperature",
];

/**
 * Where fields of a wire may stand: the formats and what they share, the parameter table with the traits that its rows
 * need, the catalogue; the reader of providers' model lists, a wire of its own; and code that users paste.
 */
const knowsWire = new RegExp(
  [
    "^formats/",
    "^translation/",
    "^operations/",
    "^core/(?:parameters|model)\\.ts$",
    "^providers/catalogue/",
    "^providers/models/list-reader\\.ts$",
    "^dashboard/pages/connect/(?:programs|editors|libraries)\\.ts$",
  ].join("|"),
);

/** Folders whose equal files have equal names: the same job in each format. */
const formatFolder = /^formats\/(chat|responses|messages|gemini)\//;

const files = sourceFiles();

describe("the scan", () => {
  it("drops comments, not what stands in strings and patterns", () => {
    const code = 'a("//b"); /* c */ d(/\\/\\*e["/]/, `/*f`); // g\nh';
    expect(withoutComments(code)).toBe('a("//b");   d(/\\/\\*e["/]/, `/*f`);  \nh');
  });

  it("finds imports of every kind", () => {
    const code = [
      'import type { A } from "./a.ts";',
      'import { b } from "../b.ts";',
      'export * from "./c.ts";',
      'import "./d.ts";',
      'const e = await import("./e.ts");',
      'import * as z from "zod";',
      'export const json = ".json";',
    ].join("\n");
    expect(importsOf("x/y/z.ts", code)).toEqual([
      { target: "x/y/a.ts", typeOnly: true },
      { target: "x/b.ts", typeOnly: false },
      { target: "x/y/c.ts", typeOnly: false },
      { target: "x/y/d.ts", typeOnly: false },
      { target: "x/y/e.ts", typeOnly: false },
    ]);
  });

  it("finds what is declared and exported", () => {
    const code = [
      "export const a = 1;",
      "export async function b() {}",
      "export function* c() {}",
      "export abstract class D {}",
      "export type E = 1;",
      "export { f, g as h, type I };",
      'export { passedOn } from "./j.ts";',
    ].join("\n");
    expect(exportsOf(code)).toEqual(["a", "b", "c", "D", "E", "f", "h", "I"]);
  });
});

describe("the layers of src", () => {
  const edges = files.flatMap(({ file, folder, imports }) =>
    imports.map(({ target }) => ({ file, folder, target })),
  );

  it("every file lies in a known folder", () => {
    expect(files.map(({ file }) => file).filter((file) => rowOf(file) === -1)).toEqual([]);
  });

  it("a file imports its own folder and the rows below it, nothing else", () => {
    const wrong = edges
      .filter(({ file, target }) => partOf(target) !== partOf(file) && !isBelow(target, file))
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it("no folder needs itself by a detour, types included", () => {
    const wrong = foldersInCircles(edges);
    expect(wrong.map(({ edge, example }) => `${edge}, as in ${example}`)).toEqual([]);
  });
});

describe("names", () => {
  it("an exported name means one thing: the same name only for the same job in each format", () => {
    const places = new Map<string, string[]>();
    for (const { file, exports } of files)
      for (const name of new Set(exports)) places.set(name, [...(places.get(name) ?? []), file]);
    const wrong = [...places]
      .filter(([, where]) => where.length > 1 && !sameJob(where))
      .map(([name, where]) => `${name}: ${where.join(", ")}`);
    expect(wrong).toEqual([]);
  });

  it("fields of a wire stand in the formats, the parameter table and the catalogue", () => {
    const field = new RegExp(String.raw`(?<![\w-])(?:${wireFields.join("|")})(?![\w-])`, "g");
    const read = new RegExp(
      String.raw`\b(?:body|wire|raw|json)(?:\?\.)?\["(?:${ordinaryFields.join("|")})"\]`,
      "gi",
    );
    const wrong = files
      .filter(({ file }) => !knowsWire.test(file))
      .flatMap(({ file, code }) => {
        const found = [...code.matchAll(field), ...code.matchAll(read)];
        return [...new Set(found.map(([text]) => `${file}: ${text}`))];
      });
    expect(wrong).toEqual([]);
  });
});

/** The folder of the table above in which a file lies. */
function partOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  if (!file.includes("/")) return "";
  return first === "formats" && second !== "index.ts" ? `${first}/${second}` : first;
}

function rowOf(file: string): number {
  return rows.findIndex((row) => row.includes(partOf(file)));
}

function isBelow(target: string, file: string): boolean {
  return rowOf(target) !== -1 && rowOf(target) < rowOf(file);
}

function sameJob(where: readonly string[]): boolean {
  const formats = where.map((file) => formatFolder.exec(file)?.[1]);
  return !formats.includes(undefined) && new Set(formats).size === where.length;
}

interface FolderEdge {
  /** `<folder> -> <folder>`. */
  edge: string;
  /** An import that makes it. */
  example: string;
}

/** Imports between folders from whose target a way leads back. */
function foldersInCircles(
  edges: readonly { file: string; folder: string; target: string }[],
): FolderEdge[] {
  const targets = new Map<string, Set<string>>();
  const found = new Map<string, FolderEdge & { from: string; to: string }>();
  for (const { file, folder, target } of edges) {
    const to = target.slice(0, Math.max(0, target.lastIndexOf("/")));
    if (to === folder) continue;
    const edge = `${folder} -> ${to}`;
    targets.set(folder, (targets.get(folder) ?? new Set()).add(to));
    if (!found.has(edge))
      found.set(edge, { edge, example: `${file} -> ${target}`, from: folder, to });
  }
  return [...found.values()].filter(({ from, to }) => reaches(targets, to, from));
}

/** Whether imports lead from one folder, or from a folder below it, to another. */
function reaches(targets: Map<string, Set<string>>, from: string, to: string): boolean {
  const below = (folder: string) =>
    !`${to}/`.startsWith(`${from}/`) && folder.startsWith(`${from}/`);
  const open = [from, ...[...targets.keys()].filter(below)];
  const seen = new Set<string>();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folder === to) return true;
    if (seen.has(folder)) continue;
    seen.add(folder);
    open.push(...(targets.get(folder) ?? []));
  }
  return false;
}
