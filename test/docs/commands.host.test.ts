/** The documentation's commands and programs that need only npm and Debian, run against a gateway as `npm start` runs it. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyOf } from "../smoke/gateway.ts";
import { clone, npmStart, scratch, type Host } from "../smoke/host.ts";
import { blocksOf, documentationFiles, type Block } from "./blocks.ts";
import { filledIn, runBlock, runShell, type Reader } from "./running.ts";

/** The blocks that are run at this place. */
function blocksRun(where: "" | "cli" | "clone"): { block: Block; place: string }[] {
  return documentationFiles()
    .flatMap(blocksOf)
    .filter(({ mark }) => mark?.word === "run" && mark.value === where)
    .map((block) => ({ block, place: `${block.file}:${block.line}` }));
}

const blocks = blocksRun("");
/** The command as the package has it; `npm test` builds it. */
const command = path.resolve("dist", "cli", "gateway.js");

/** People are invited on a page too; nobody signs in here. */
const signIn = {
  OIDC_ISSUER: "https://login.example.com",
  OIDC_CLIENT_ID: "gateway",
  OIDC_CLIENT_SECRET: "not-a-secret",
};
const space = scratch();
const home = scratch();
let host: Host;
let reader: Reader;

beforeAll(async () => {
  host = await npmStart({ state: space.folder, environment: signIn });
  const key = await keyOf(host, "default");
  reader = { gateway: host.base, key, adminToken: host.adminToken, home: home.folder };
});

afterAll(async () => {
  await host.stop();
  space.remove();
  home.remove();
});

describe("commands of the documentation", () => {
  it("there are some", () => expect(blocks.length).toBeGreaterThan(10));

  it.each(blocks)("$place", async ({ block }) => {
    const { code, output } = await runBlock(block, reader);
    expect(output).not.toMatch(/\[gateway M\d+\]/);
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
  });
});

/** A command `gateway` that asks nothing, in a folder of its own. */
function commandFolder(folder: string): string {
  const place = path.join(folder, "bin");
  mkdirSync(place, { recursive: true });
  const yes = 'case "$1" in connect|disconnect) set -- "$@" --yes ;; esac';
  const start = `exec "${process.execPath}" "${command}" "$@"`;
  writeFileSync(path.join(place, "gateway"), `#!/bin/sh\n${yes}\n${start}\n`);
  chmodSync(path.join(place, "gateway"), 0o755);
  return place;
}

describe.skipIf(!existsSync(command))("the documentation's uses of the command line", () => {
  it.each(blocksRun("cli"))("$place", async ({ block }) => {
    const text = `export GATEWAY_STATE="${space.folder}"\n${filledIn(block.text, reader)}`;
    const { code, output } = await runShell(text, reader, commandFolder(home.folder));
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
  });
});

describe("the documentation's uses of npm in a clone", () => {
  const own = scratch();
  const folder = clone(own.folder);
  let running: Host;

  beforeAll(async () => {
    running = await npmStart({ cwd: folder, state: ".state" });
  });

  afterAll(async () => {
    await running.stop();
    own.remove();
  });

  it.each(blocksRun("clone"))("$place", async ({ block }) => {
    const here = { ...reader, adminToken: running.adminToken, home: folder };
    const text = `export GATEWAY_PASSPHRASE="a passphrase of the tests"\n${block.text}`;
    const { code, output } = await runShell(text, here);
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
  });
});
