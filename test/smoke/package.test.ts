/** The package: `npm pack`, installed into an empty folder, answers a request after two commands. */
import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { healthy, scratch } from "./host.ts";

const space = scratch();
const empty = path.join(space.folder, "empty");
const home = path.join(space.folder, "home");
const state = path.join(home, ".local", "state", "routing-gateway");
const launchers: number[] = [];

afterAll(async () => {
  for (const pid of launchers) process.kill(pid, "SIGTERM");
  await sleep(launchers.length === 0 ? 0 : 1000);
  space.remove();
});

const cache = npm(["config", "get", "cache"], ".").trim();

/** Nothing of this machine but where npm keeps what it has fetched. */
function environment(): NodeJS.ProcessEnv {
  const { PATH = "" } = process.env;
  return { PATH, HOME: home, npm_config_cache: cache };
}

function npm(args: string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync("npm", args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string; size: number }[];
}

let packed: Packed;
let tarball = "";

beforeAll(() => {
  const project = path.join(space.folder, "project");
  for (const folder of [empty, home, project]) mkdirSync(folder);
  // A copy: packing changes package.json for a moment.
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "tsconfig.json"])
    copyFileSync(name, path.join(project, name));
  for (const name of ["scripts", "src", "docs", "test"])
    cpSync(name, path.join(project, name), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(project, "node_modules"));
  const before = readFileSync(path.join(project, "package.json"), "utf8");
  const output = npm(["pack", "--json", "--pack-destination", space.folder], project);
  // npm's scripts print before it, and the answer is a list or an object of one package.
  const answer = JSON.parse(/^[[{][\s\S]*/m.exec(output)?.[0] ?? "") as Packed[];
  const [first] = Object.values(answer);
  if (first === undefined) throw new Error(output);
  packed = first;
  tarball = path.join(space.folder, packed.filename);
  expect(readFileSync(path.join(project, "package.json"), "utf8")).toBe(before);
  rmSync(project, { recursive: true });
});

describe("the package", () => {
  it("holds what runs, and nothing else", () => {
    const names = packed.files.map((file) => file.path).sort();
    console.log(
      `${names.length} files, ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`,
    );
    const allowed =
      /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(?:worker|kv|assets)\.js|dist\/cli\/gateway\.js|dist\/chunks\/[\w.-]+\.js)$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    for (const needed of ["dist/cli/gateway.js", "dist/worker.js", "LICENSE", "README.md"])
      expect(names).toContain(needed);
    expect(packed.unpackedSize).toBeLessThan(8_000_000);
  });

  it("is checked by its doctor where nothing runs yet", () => {
    npm(["install", ...quiet, tarball], empty, environment());
    const doctor = gateway(["doctor"], environment());
    expect(doctor.output).toMatch(/^ok {4}no state in .+ yet: the first start creates it$/m);
    expect(doctor.output).toMatch(/no gateway is running|port 2099 is used|another state folder/);
    expect(doctor.output).not.toMatch(/^fail/m);
    expect(doctor.code).toBe(0);
  });

  it("installs without scripts, starts, and answers: two commands", async () => {
    const env = environment();
    npm(["install", ...quiet, tarball], empty, env);
    const child = spawn("npx", ["gateway", "start", "--port", "0"], {
      cwd: empty,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output += part.toString()));
    const key = await printed(() => output, /^Key\s+(\S+)/m);
    const base = /^Gateway\s+(\S+)\/v1/m.exec(output)?.[1] ?? "";
    const { launcher } = JSON.parse(readFileSync(path.join(state, "lock.json"), "utf8")) as {
      launcher: { pid: number };
    };
    launchers.push(launcher.pid);
    expect(output).toContain("\n  npx gateway connect claude\n");
    await healthy(base);
    const answer = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "auto", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status, await answer.text()).toBe(200);
    const { dependencies } = JSON.parse(
      readFileSync(path.join(empty, "node_modules/routing-gateway/package.json"), "utf8"),
    ) as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(["workerd"]);
  });

  it("connects a client to the running gateway, tests it, and takes it back", () => {
    const env = environment();
    const connected = gateway(["connect", "claude", "--yes"], env);
    expect(connected.output).toContain("answered.");
    expect(connected.code).toBe(0);
    expect(readFileSync(path.join(home, ".claude/settings.json"), "utf8")).toContain('"gw_');
    const doctor = gateway(["doctor"], env);
    expect(doctor.output).toMatch(/^ok {4}Claude Code uses http/m);
    expect(doctor.output).toMatch(/^warn {2}only the built-in demo is connected/m);
    expect(doctor.output).not.toContain("gw_");
    expect(doctor.code).toBe(0);
    const back = gateway(["disconnect", "claude", "--yes"], env);
    expect(back.output).toContain("is revoked.");
    expect(() => readFileSync(path.join(home, ".claude/settings.json"))).toThrow("ENOENT");
  });

  it("says which client's file is wrong, and prints no secret", () => {
    const env = environment();
    gateway(["connect", "claude", "--yes"], env);
    const file = path.join(home, ".claude/settings.json");
    const good = readFileSync(file, "utf8");
    const key = /gw_[\w-]+/.exec(good)?.[0] ?? "";
    for (const [wrong, said] of [
      ["gw_wrong", "its key is not valid"],
      ["sk-\\u00e9\\n", "its key is not valid"],
      ['", "gw_broken', `${file}:`],
    ] as const) {
      writeFileSync(file, good.replace(key, wrong));
      const doctor = gateway(["doctor"], env);
      expect(doctor.output).toContain(`fail  Claude Code: ${said}`);
      expect(doctor.output).toContain(
        said.startsWith(file)
          ? "      Correct the file; its own program can't read it either.\n"
          : "      gateway connect claude configures it again.\n",
      );
      expect(doctor.output).not.toMatch(/gw_|sk-/);
      for (const secret of secretsOfState()) expect(doctor.output).not.toContain(secret);
      expect(doctor.code).toBe(1);
    }
    writeFileSync(file, good);
    expect(gateway(["disconnect", "claude", "--yes"], env).code).toBe(0);
  });

  it("revokes the key that a connect with another one replaces", () => {
    const env = environment();
    gateway(["connect", "claude", "--yes"], env);
    const made = writtenKey();
    const replaced = gateway(["connect", "claude", "--yes", "--key", "gw_not_a_real_key"], env);
    expect(replaced.output).toContain(`Its earlier key ${made.slice(0, 6)}… is revoked.`);
    expect(replaced.output).not.toContain(made);
    // Nothing says that it is connected where the test failed.
    expect(replaced.output).toContain("but the test request failed: 401");
    expect(replaced.output).toContain("or undo it: gateway disconnect claude");
    expect(replaced.output).not.toContain("is connected");
    expect(replaced.code).toBe(3);
    const revoked = gateway(["connect", "claude", "--yes", "--key", made], env);
    expect(revoked.output).toContain("but the test request failed: 401");
    gateway(["disconnect", "claude", "--yes"], env);
  });

  it("keeps the key when the gateway listens elsewhere, and revokes it there", async () => {
    const env = environment();
    const other = path.join(space.folder, "moving");
    const start = async (): Promise<() => Promise<void>> => {
      const command = path.join(empty, "node_modules/.bin/gateway");
      const args = ["start", "--port", "0", "--state", other];
      const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.on("data", (part: Buffer) => (output += part.toString()));
      await printed(() => output, /^Gateway\s+(\S+)/m);
      return async () => {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGTERM");
        await ended;
      };
    };
    let stop = await start();
    expect(gateway(["connect", "claude", "--yes", "--state", other], env).code).toBe(0);
    const made = writtenKey();
    await stop();
    const doctor = gateway(["doctor", "--state", other], env);
    expect(doctor.output).toMatch(/^fail {2}Claude Code: no gateway answers at http/m);
    expect(doctor.output).toContain("gateway connect claude follows it.");
    stop = await start();
    const again = gateway(["connect", "claude", "--yes", "--state", other], env);
    expect(again.output).toContain("is connected to");
    expect(writtenKey()).toBe(made);
    await stop();
    stop = await start();
    const back = gateway(["disconnect", "claude", "--yes", "--state", other], env);
    expect(back.output).toContain("is revoked.");
    await stop();
  });

  it("backs up the running gateway, and reads the file back", () => {
    const env = { ...environment(), GATEWAY_PASSPHRASE: "correct horse battery staple" };
    const made = gateway(["backup", "a.backup"], env);
    expect(made.output).toMatch(/^a\.backup: \d+ KB, written and verified\.$/m);
    expect(made.code).toBe(0);
    const checked = gateway(["restore", "a.backup", "--check"], env);
    expect(checked.output).toMatch(
      /^Created .+: the whole deployment[^]*a\.backup is complete\.\n$/,
    );
    expect(checked.code).toBe(0);
  });

  it("restores on a state folder where no gateway runs, which it starts for that time", () => {
    const env = { ...environment(), GATEWAY_PASSPHRASE: "correct horse battery staple" };
    const other = path.join(space.folder, "other");
    const restored = gateway(["restore", "a.backup", "--yes", "--state", other], env);
    expect(restored.output).toMatch(/^Restored default: \d+ keys/m);
    expect(restored.code).toBe(0);
    expect(existsSync(path.join(other, "lock.json"))).toBe(false);
  });

  it("refuses a start that cannot be, in one line and with exit code 1", () => {
    writeFileSync(path.join(empty, "file"), "");
    const { base } = running();
    const refusals: [string[], RegExp][] = [
      [["--port", "0"], /^\S+ is already in use by a running gateway \(process \d+\)\n$/],
      [["--port", "0", "--state", "file"], /file cannot be the state folder: it is a file\..+\n$/],
      [["--port", "0", "--state", "file/x"], /: a file stands in its path\..+\n$/],
      [
        ["--port", new URL(base).port, "--state", path.join(space.folder, "third")],
        /^port \d+ is in use; choose another with --port\n$/,
      ],
      [
        ["--port", "0", "--host", "192.0.2.1", "--state", path.join(space.folder, "third")],
        /^--host: 192\.0\.2\.1 is not an address of this machine\n$/,
      ],
    ];
    for (const [args, text] of refusals) {
      const ended = gateway(["start", ...args], environment());
      expect(ended.output).toMatch(text);
      expect(ended.output.trim().split("\n")).toHaveLength(1);
      expect(ended.code).toBe(1);
    }
  });

  it("ends without a stack where it is stopped before it listens", async () => {
    const folder = path.join(space.folder, "stopped");
    const command = path.join(empty, "node_modules/.bin/gateway");
    const child = spawn(command, ["start", "--port", "0", "--state", folder], {
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output += part.toString()));
    const ended = new Promise((resolve) => child.once("close", resolve));
    // Its lock names workerd from the moment that it runs.
    while (!lockOf(folder).includes('"workerd"')) await sleep(1);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(output.endsWith("Stopped.\n")).toBe(true);
    expect(output).not.toMatch(/stack|workerd/);
  });

  it("is refused by an old Node in one line, and doctor says so too", () => {
    const old =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
    const env = { ...environment(), NODE_OPTIONS: `--import ${old}` };
    const refused = gateway(["start", "--port", "0"], env);
    expect(refused.output).toBe("Node 18.20.8 is too old. Install Node 20.19 or newer.\n");
    expect(refused.code).toBe(1);
    expect(gateway(["doctor"], env).output).toContain("fail  Node 18.20.8 is too old\n");
    expect(() =>
      execFileSync(process.execPath, ["scripts/run.mjs", "scripts/start.ts"], {
        env,
        stdio: "pipe",
      }),
    ).toThrow("Node 18.20.8 is too old. Install Node 20.19 or newer.\n");
    const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(">=20.19");
  });

  it.each([
    [["backup"], 2, /^gateway: name one file\nusage: gateway backup FILE \[options\]\n$/],
    [["restore", "a", "b"], 2, /^gateway: unexpected b\nusage: gateway restore FILE/],
    [["start", "--port", "x"], 2, /^gateway: --port: x is not a port number\nusage: gateway start/],
    [["--version"], 0, /^\d+\.\d+\.\d+\n$/],
    [["--help"], 0, /gateway connect|connect \[client\]/],
    [["help", "connect"], 0, /^usage: gateway connect \[client\] \[options\]/],
    [["conect"], 2, /unknown command conect; did you mean connect\?\nusage/],
    [
      ["start", "--prot", "1"],
      2,
      /unknown option --prot; did you mean --port\?\nusage: gateway start/,
    ],
    [["disconnect", "cursor"], 0, /^Cursor is configured in its own settings/],
    [["connect", "claude", "--url", "nonsense"], 2, /^gateway: --url: nonsense is not .+\nusage/],
    [["connect", "claude", "--key", "a b"], 2, /^gateway: --key: .+\nusage: gateway connect/],
    [["connect", "claude", "--url", "http://127.0.0.1:1"], 1, /^No gateway answers at .+\n$/],
    [["connect", "cluade"], 2, /unknown client cluade; did you mean claude\?\nusage/],
  ])("%j ends with %i", (args, code, text) => {
    const ended = gateway(args, environment());
    expect(ended.output).toMatch(text);
    expect(ended.code).toBe(code);
  });
});

function running(): { base: string } {
  return JSON.parse(lockOf(state)) as { base: string };
}

function lockOf(folder: string): string {
  const file = path.join(folder, "lock.json");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function writtenKey(): string {
  const text = readFileSync(path.join(home, ".claude/settings.json"), "utf8");
  return /gw_[\w-]+/.exec(text)?.[0] ?? "";
}

function secretsOfState(): string[] {
  const text = readFileSync(path.join(state, "secrets.json"), "utf8");
  return Object.values(JSON.parse(text) as Record<string, string>);
}

function gateway(args: string[], env: NodeJS.ProcessEnv): { code: number; output: string } {
  try {
    const command = path.join(empty, "node_modules/.bin/gateway");
    const output = execFileSync(command, args, {
      cwd: empty,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
    return { code: 0, output };
  } catch (error) {
    // What Node adds to the error of a command that failed.
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, output: stdout + stderr };
  }
}

async function printed(output: () => string, pattern: RegExp): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const found = pattern.exec(output())?.[1];
    if (found !== undefined) return found;
    await sleep(50);
  }
  throw new Error(`not printed:\n${output()}`);
}
