/** Runs a block of the documentation as its reader would, with the address and keys of a gateway of the tests. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import type { Block } from "./blocks.ts";

/** What the reader has. */
export interface Reader {
  /** `http://127.0.0.1:<port>`. */
  readonly gateway: string;
  readonly key: string;
  readonly adminToken: string;
  /** Home and current folder: nothing of this machine is seen or changed. */
  readonly home: string;
}

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** Addresses of a gateway as pages write them, the longest first. */
const addresses = [
  "https://gateway.example.com",
  "https://gateway.example",
  "http://127.0.0.1:2099",
];

/** A text of a page with the reader's own values. */
export function filledIn(text: string, { gateway, key, home }: Reader): string {
  const addressed = addresses.reduce(
    (filled, address) => filled.replaceAll(address, gateway),
    text,
  );
  return addressed.replaceAll("YOUR_KEY", key).replaceAll("/home/you", home);
}

/** Milliseconds until a block is given up: real clients take their time. */
const patience = 180_000;

/** Runs a block of shell commands, each of which must succeed, or a program. */
export async function runBlock(block: Block, reader: Reader): Promise<Ran> {
  if (block.language === "sh" || block.language === "bash")
    return await runShell(filledIn(block.text, reader), reader);
  return await runProgramOn({ node: process.execPath, folder: beside }, block, reader);
}

/** `search`: a folder that comes before the usual ones in PATH. */
export async function runShell(text: string, reader: Reader, search?: string): Promise<Ran> {
  // A refusal of the gateway is a failure of the command.
  writeFileSync(path.join(reader.home, ".curlrc"), "fail-with-body\nsilent\nshow-error\n");
  return await run(["bash", "-euo", "pipefail", "-c", text], reader, search);
}

/** Where programs find the packages of this project. */
const beside = path.resolve("node_modules", ".cache", "documentation");

/** Where a program runs: the Node binary, and a folder that has, or lies under, the packages that it imports. */
export interface ProgramPlace {
  readonly node: string;
  readonly folder: string;
}

/** Runs a block of JavaScript or TypeScript. */
export async function runProgramOn(
  { node, folder }: ProgramPlace,
  block: Block,
  reader: Reader,
): Promise<Ran> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `documented-${process.pid}-${block.line}.mjs`);
  writeFileSync(file, transformSync(filledIn(block.text, reader), { loader: "ts" }).code);
  try {
    return await run([node, file], reader);
  } finally {
    rmSync(file, { force: true });
  }
}

async function run(
  [command = "", ...args]: readonly string[],
  reader: Reader,
  search?: string,
): Promise<Ran> {
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const child = spawn(command, args, {
    cwd: reader.home,
    env: {
      PATH: search === undefined ? PATH : `${search}:${PATH}`,
      LANG,
      HOME: reader.home,
      TERM: "dumb",
      CI: "1",
      KEY: reader.key,
      ADMIN_TOKEN: reader.adminToken,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: patience,
  });
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  child.stderr.on("data", (part: Buffer) => (output += part.toString()));
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
