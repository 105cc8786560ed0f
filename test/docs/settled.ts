/** How each block of the documentation is kept true. A block about which nothing says so is a fault. */
import { existsSync } from "node:fs";
import { transformSync } from "esbuild";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import type { ZodType } from "zod";
import {
  configSchema,
  harnessSchema,
  limitSchema,
  providerSchema,
  routingSchema,
} from "../../src/store/config.ts";
import type { Block } from "./blocks.ts";

/**
 * Marks, in the line above a block:
 *   <!-- run -->               `npm test` runs it against a gateway
 *   <!-- run: cli -->          `npm test` runs it with the built command `gateway`
 *   <!-- run: clone -->        `npm test` runs it in a clone whose gateway runs
 *   <!-- run: clients -->      `npm run test:clients -- --only guides` runs it
 *   <!-- tested: FILE -->      this test, script or folder does what the block says
 *   <!-- untested: WHY -->     nobody runs it, and the page says "untested" before it
 *   <!-- excerpt -->           a piece of the code, not something to type
 *   <!-- check: SCHEMA -->     JSON of ours: config, provider, harness, limit, routing
 *   <!-- file: PATH -->        a client's configuration file, with the path that the guide gives it
 */
const howTo =
  "put <!-- run -->, <!-- run: clients -->, <!-- tested: FILE -->, <!-- untested: WHY --> or <!-- excerpt --> above it";

const commands = new Set(["sh", "bash", "js", "ts"]);
/** Where `run` can happen: in `npm test`, or with the clients of `npm run test:clients`. */
const places = new Set(["", "cli", "clone", "clients"]);
/** What runs nowhere in the tests: not in Debian, or packages of PyPI. */
const foreign = new Set(["fish", "powershell", "python"]);
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  json: readJson,
  jsonc: (text) => JSON.parse(text.replaceAll(/(^|\s)\/\/.*$/gm, "")) as unknown,
  toml: parseToml,
  yaml: (text) => parseYaml(text) as unknown,
};
const schemas: Readonly<Record<string, ZodType>> = {
  config: configSchema,
  provider: providerSchema,
  harness: harnessSchema,
  limit: limitSchema,
  routing: routingSchema,
};

/** One document, or one a line. */
function readJson(text: string): unknown {
  const lines = text.split("\n");
  const each =
    lines.length > 1 && lines.every((line) => line.startsWith("{") && line.endsWith("}"));
  return each ? lines.map((line) => JSON.parse(line) as unknown) : (JSON.parse(text) as unknown);
}

/** What is wrong with a block, or undefined. Shell syntax is not looked at here: bash does that. */
export function faultOf(block: Block): string | undefined {
  const { language, mark } = block;
  if (mark?.word === "excerpt") return undefined;
  if (parsers[language] !== undefined) return dataFault(block);
  if (commands.has(language)) return commandFault(block);
  if (foreign.has(language) && mark?.word !== "tested" && !saysUntested(block))
    return 'nothing before it says "untested"';
  return mark?.word === "tested" ? testedFault(mark.value) : undefined;
}

function dataFault({ language, text, mark }: Block): string | undefined {
  const outcome = valueOf(language, text);
  if ("fault" in outcome) return `no valid ${language}: ${outcome.fault}`;
  if (mark?.word !== "check") return undefined;
  const schema = schemas[mark.value];
  if (schema === undefined) return `there is no schema "${mark.value}"`;
  const read = schema.safeParse(outcome.value);
  return read.success
    ? undefined
    : `not what the ${mark.value} schema takes: ${read.error.message}`;
}

/** What a block of data says. */
export function valueOf(language: string, text: string): { value: unknown } | { fault: string } {
  try {
    return { value: parsers[language]?.(text) };
  } catch (error) {
    return { fault: String(error) };
  }
}

function commandFault(block: Block): string | undefined {
  const { mark, language } = block;
  switch (mark?.word) {
    case "run":
      if (!places.has(mark.value)) return `"run" knows no "${mark.value}"`;
      return language === "js" || language === "ts" ? scriptFault(block) : undefined;
    case "tested":
      return testedFault(mark.value);
    case "untested":
      return saysUntested(block) ? undefined : 'nothing before it says "untested" to the reader';
    default:
      return `nobody says whether it works: ${howTo}`;
  }
}

function testedFault(file: string): string | undefined {
  const [place = ""] = file.split(" ", 1);
  return existsSync(place) ? undefined : `there is no ${place}`;
}

function scriptFault({ text }: Block): string | undefined {
  try {
    transformSync(text, { loader: "ts" });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function saysUntested({ before }: Block): boolean {
  return /\buntested\b/i.test(before.replaceAll(/<!--.*?-->/g, ""));
}
