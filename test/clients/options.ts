/** What `npm run test:clients -- …` can be told. */
import { parseArgs } from "node:util";
import type { WireFormat } from "../kit/wire/said.ts";

// The client's own format comes first for Claude Code: what fails there is no fault of translation.
export const providerFormats: readonly WireFormat[] = ["messages", "responses", "chat", "gemini"];

export interface Options {
  /** Names of scenarios and programs, or of these groups; all of them where empty. */
  only: readonly string[];
  formats: readonly WireFormat[];
  /** Names of trials; all of them where empty. */
  trials: readonly string[];
  /** Also in the formats that a program speaks besides its usual one. */
  everyWay: boolean;
  jobs: number;
  /** Whether to do the work, to keep what clients send, or to compare the newest with it. */
  mode: "try" | "record" | "latest";
}

/** Reads `[<name> [<provider format>]]` and the options that the guide names (docs/client-tests.md). */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: "string" },
      on: { type: "string" },
      trial: { type: "string" },
      "every-way": { type: "boolean" },
      jobs: { type: "string", default: "2" },
      latest: { type: "boolean" },
      record: { type: "boolean" },
    },
  });
  const [name = values.only, format = values.on] = positionals;
  const formats = list(format);
  return {
    only: list(name),
    formats: providerFormats.filter((one) => formats.length === 0 || formats.includes(one)),
    trials: list(values.trial),
    everyWay: values["every-way"] === true,
    jobs: Number(values.jobs),
    mode: values.record === true ? "record" : values.latest === true ? "latest" : "try",
  };
}

/** Whether something is to be done by its own name or by that of its group. */
export function isChosen(only: readonly string[], name: string, group: string): boolean {
  return only.length === 0 || only.includes(name) || only.includes(group);
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(",");
}
