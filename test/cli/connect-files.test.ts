/** Connecting and disconnecting on the disk: afterwards every byte, mode, link and folder is as it was. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  ConfigurableClient,
  GatewaySettings,
  UserPlace,
} from "../../scripts/cli/clients/client.ts";
import { configurableClients } from "../../scripts/cli/clients/index.ts";
import { masked, secretsIn } from "../../scripts/cli/connect/mask.ts";
import { planFile } from "../../scripts/cli/connect/plan.ts";
import { requestOf, whyUnread } from "../../scripts/cli/connect/read-back.ts";
import { recordStore, type RecordStore } from "../../scripts/cli/connect/record.ts";
import { bringBack, planReturn } from "../../scripts/cli/connect/return.ts";
import { writePlan } from "../../scripts/cli/connect/write.ts";
import { ChangedMeanwhile, findFile, replaceFile } from "../../scripts/cli/files/disk-file.ts";
import { scratch } from "../smoke/host.ts";

const space = scratch();
afterAll(() => space.remove());

let home = "";
let runs = 0;

beforeEach(() => {
  runs += 1;
  home = path.join(space.folder, `home-${runs}`);
  mkdirSync(home);
  vi.stubEnv("XDG_STATE_HOME", path.join(space.folder, `state-${runs}`));
});
afterEach(() => void vi.unstubAllEnvs());

const settings: GatewaySettings = {
  url: "http://127.0.0.1:7360",
  key: "gw_test",
  model: "auto",
  context: 100_000,
  claudeCode: { CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1" },
  codexCatalogue: '{"models":[]}\n',
};

function place(): UserPlace {
  return { home, environment: {}, platform: "linux" };
}

function connect(client: ConfigurableClient, other: Partial<GatewaySettings> = {}): RecordStore {
  const files = client.files(place(), { ...settings, ...other });
  const store = recordStore(client.id, files[0]?.file ?? "");
  const earlier = store.read();
  const planned = files.map((file) => planFile(file, earlier?.files ?? []));
  const record = { client: client.id, url: settings.url, key: settings.key };
  writePlan(planned, { store, record, earlier });
  return store;
}

function disconnect(store: RecordStore): void {
  const record = store.read();
  if (record !== undefined) bringBack(record.files.map(planReturn), { store, record });
}

/** Everything below the home: names, modes, bytes. */
function everything(): Record<string, string> {
  const names = readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const found = lstatSync(path.join(home, name));
      const bytes = found.isFile() ? readFileSync(path.join(home, name), "base64") : "";
      return [name, `${found.mode.toString(8)} ${bytes}`];
    }),
  );
}

/** Starting files by format; a client gets them in each of its files. */
const starts: Record<string, readonly string[]> = {
  json: [
    "",
    "{}",
    '{\n    // a comment\n    "theme": "dark",\n    "env": { "MINE": "1" }, // mine\n}\n',
    '\uFEFF{\r\n  "language": "mine",\r\n  "a": [1, 2]\r\n}',
    '{"provider":{"gateway":{"options":{"apiKey":"old","baseURL":"https://old"}}},"env":{"ANTHROPIC_BASE_URL":"https://old"}}',
  ],
  toml: [
    "",
    "# a comment\nmodel = 'mine' # why\n\n[model_providers.gateway]\nname = \"Old\"\n",
    'approval_policy = "never"\r\n\r\n[profiles.x]\r\nmodel = "o"',
  ],
  environment: ["", "# mine\nGEMINI_API_KEY=old\nOTHER='x'", "A=1\r\nexport B=2\r\n"],
  yaml: [
    "",
    "# mine\nname: Mine\nversion: 0.0.1\nschema: v1\nmodels:\n- name: Other\n  provider: openai # x\n",
    "name: Mine\r\nrules:\r\n  - be brief",
  ],
};

describe.each(configurableClients.map((client) => [client.id, client] as const))(
  "%s",
  (_, client) => {
    const formats = client
      .files({ home: "/nowhere", environment: {}, platform: "linux" }, settings)
      .map((file) => (file.kind === "members" ? file.format : "own"));
    const most = Math.max(1, ...formats.map((format) => starts[format]?.length ?? 0));

    it("is taken back from every state that a killed connect may leave", () => {
      const wanted = client.files(place(), settings);
      for (const { file, kind, ...rest } of wanted) {
        if (kind === "own") continue;
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, "format" in rest ? (starts[rest.format]?.[1] ?? "") : "");
      }
      const before = everything();
      const store = connect(client);
      const once = wanted.map(({ file }) => readFileSync(file));
      connect(client, { url: "https://moved.example", key: "gw_moved" });
      const twice = store.read();
      if (twice === undefined) throw new Error("no record");
      for (let done = 0; done < wanted.length; done++) {
        // The record is written first: then the files, one after another.
        store.write(twice);
        for (const [at, { file }] of wanted.entries())
          if (at >= done) writeFileSync(file, once[at] ?? "");
        disconnect(store);
        expect(everything()).toEqual(before);
        connect(client);
        connect(client, { url: "https://moved.example", key: "gw_moved" });
      }
    });

    it("leaves nothing where nothing was", () => {
      const store = connect(client);
      for (const { file } of client.files(place(), settings))
        expect(statSync(file).mode & 0o077).toBe(0);
      disconnect(store);
      expect(everything()).toEqual({});
      // With the folders above its record.
      expect(readdirSync(space.folder)).not.toContain(`state-${runs}`);
    });

    it.each(Array.from({ length: most }, (__, at) => [at]))(
      "gives back starting files %i",
      (at) => {
        for (const wanted of client.files(place(), settings)) {
          mkdirSync(path.dirname(wanted.file), { recursive: true });
          const texts = wanted.kind === "members" ? starts[wanted.format] : ["mine\n"];
          writeFileSync(wanted.file, texts?.[at % texts.length] ?? "");
          chmodSync(wanted.file, 0o644);
        }
        const before = everything();
        const store = connect(client);
        expect(everything()).not.toEqual(before);
        const once = everything();
        connect(client);
        expect(everything()).toEqual(once);
        connect(client, { model: "lab/other", url: "https://gateway.example" });
        expect(everything()).not.toEqual(once);
        disconnect(store);
        expect(everything()).toEqual(before);
      },
    );
  },
);

describe("a settings file", () => {
  const client = configurableClients[0];
  if (client === undefined) throw new Error("no client");
  const fileOf = (): string => path.join(home, ".claude", "settings.json");

  it("that is a link stays one, also to a file that does not exist yet", () => {
    mkdirSync(path.dirname(fileOf()));
    mkdirSync(path.join(home, "dotfiles"));
    symlinkSync("../dotfiles/claude.json", fileOf());
    const before = everything();
    const store = connect(client);
    expect(lstatSync(fileOf()).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(home, "dotfiles", "claude.json"), "utf8")).toContain("gw_test");
    disconnect(store);
    expect(everything()).toEqual(before);
  });

  it("that is a link over links to a file that does not exist yet keeps all of them", () => {
    mkdirSync(path.dirname(fileOf()));
    symlinkSync("one.json", fileOf());
    symlinkSync("../dotfiles/two.json", path.join(home, ".claude", "one.json"));
    const before = everything();
    const store = connect(client);
    expect(readFileSync(path.join(home, "dotfiles", "two.json"), "utf8")).toContain("gw_test");
    disconnect(store);
    expect(everything()).toEqual(before);
  });

  it("that is a link back to itself is refused, and stays", () => {
    mkdirSync(path.dirname(fileOf()));
    symlinkSync("one.json", fileOf());
    symlinkSync("settings.json", path.join(home, ".claude", "one.json"));
    const before = everything();
    expect(() => connect(client)).toThrow("is a link that leads back to itself");
    expect(everything()).toEqual(before);
  });

  it("that cannot be is refused in words that name it and what to do", () => {
    writeFileSync(path.dirname(fileOf()), "");
    expect(() => connect(client)).toThrow(
      `${fileOf()} can't be read: there is a file where its folder should be.`,
    );
  });

  it("is not given up by a second command that planned before the first was done", () => {
    const [wanted] = client.files(place(), settings);
    if (wanted === undefined) throw new Error("no file");
    const late = planFile(wanted, []);
    const store = connect(client);
    const done = everything();
    const record = { client: client.id, url: settings.url, key: "gw_late" };
    expect(() => writePlan([late], { store, record, earlier: undefined })).toThrow(
      "Another gateway command has connected or disconnected this client",
    );
    expect(everything()).toEqual(done);
    disconnect(store);
    expect(everything()).toEqual({});
  });

  it("takes the lock of a command that was killed, and not that of one that runs", () => {
    const store = connect(client);
    const lock = `${store.folder}.lock`;
    symlinkSync(String(process.pid), lock);
    expect(() => connect(client, { key: "gw_other" })).toThrow("Another gateway command");
    rmSync(lock);
    symlinkSync("2147483647", lock);
    disconnect(store);
    expect(everything()).toEqual({});
  });

  it("whose record is damaged is left as it is, and the words say where the copies are", () => {
    const store = connect(client);
    for (const text of ["", "{", "null", '{"client":"claude"}']) {
      writeFileSync(path.join(store.folder, "record.json"), text);
      expect(() => store.read()).toThrow(`then delete ${store.folder}.`);
    }
  });

  it("that the user changed keeps the change, before and after connecting again", () => {
    mkdirSync(path.dirname(fileOf()));
    writeFileSync(fileOf(), '{\n  "theme": "dark"\n}\n');
    const store = connect(client);
    const changed = readFileSync(fileOf(), "utf8").replace('"dark"', '"light"');
    writeFileSync(fileOf(), changed);
    connect(client, { key: "gw_other" });
    disconnect(store);
    expect(readFileSync(fileOf(), "utf8")).toBe('{\n  "theme": "light"\n}\n');
  });

  it("that another program changes meanwhile is not written over", () => {
    mkdirSync(path.dirname(fileOf()));
    writeFileSync(fileOf(), "{}");
    const found = findFile(fileOf());
    writeFileSync(fileOf(), '{"theirs":1}');
    expect(() => replaceFile(found, Buffer.from("ours"), 0o600)).toThrow(ChangedMeanwhile);
    expect(readFileSync(fileOf(), "utf8")).toBe('{"theirs":1}');
    expect(readdirSync(path.dirname(fileOf()))).toEqual(["settings.json"]);
  });
});

describe("two clients", () => {
  it("share a folder that connect made, and the last one takes it away", () => {
    const [opencode, copilot] = ["opencode", "copilot"].map((id) =>
      configurableClients.find((client) => client.id === id),
    );
    if (opencode === undefined || copilot === undefined) throw new Error("no clients");
    const [first, second] = [connect(opencode), connect(copilot)];
    disconnect(first);
    expect(Object.keys(everything())).toContain(".config/routing-gateway/copilot.sh");
    disconnect(second);
    expect(everything()).toEqual({});
    expect(readdirSync(space.folder)).not.toContain(`state-${runs}`);
  });
});

describe("folders that a client's own variables name", () => {
  const files: readonly (readonly [string, Record<string, string>, string])[] = [
    ["claude", { CLAUDE_CONFIG_DIR: "/c" }, "/c/settings.json"],
    ["codex", { CODEX_HOME: "/c" }, "/c/config.toml"],
    ["gemini", { GEMINI_CLI_HOME: "/c" }, "/c/.gemini/.env"],
    ["opencode", { OPENCODE_CONFIG: "/c/x.json" }, "/c/x.json"],
    ["opencode", { XDG_CONFIG_HOME: "/c" }, "/c/opencode/opencode.json"],
    // opencode reads this folder last.
    ["opencode", { OPENCODE_CONFIG: "/x.json", OPENCODE_CONFIG_DIR: "/c" }, "/c/opencode.json"],
    ["qwen", { QWEN_HOME: "/c" }, "/c/settings.json"],
    ["cline", { CLINE_DIR: "/c" }, "/c/data/settings/providers.json"],
    ["cline", { CLINE_DIR: "/x", CLINE_DATA_DIR: "/c" }, "/c/settings/providers.json"],
    ["cline", { CLINE_DATA_DIR: "/x", CLINE_PROVIDER_SETTINGS_PATH: "/c.json" }, "/c.json"],
    ["continue", { CONTINUE_GLOBAL_DIR: "/c" }, "/c/config.yaml"],
    ["copilot", { XDG_CONFIG_HOME: "/c" }, "/c/routing-gateway/copilot.sh"],
    ["pi", { PI_CODING_AGENT_DIR: "/c" }, "/c/models.json"],
  ];

  it.each(files)("%s with %j", (id, environment, file) => {
    const client = configurableClients.find((one) => one.id === id);
    const all = client?.files({ home: "/home/me", environment, platform: "linux" }, settings);
    expect(all?.[0]?.file).toBe(file);
  });
});

describe("what is shown", () => {
  it("has the beginnings of keys alone, ours and others, and everything else", () => {
    const text =
      '{ "env": { "ANTHROPIC_AUTH_TOKEN": "sk-ant-0123456789", "SHORT_KEY": "sk-0123", "TOKENS": "131072" },\n "env_key": "OPENAI_API_KEY" }';
    expect(masked(text, ["gw_unused", undefined, ...secretsIn("json", text)])).toBe(
      text.replace("sk-ant-0123456789", "sk-ant…").replace("sk-0123", "…"),
    );
  });
});

describe("a file that its own client cannot read", () => {
  const extras = {
    mark: '\uFEFF{ "a": 1 }',
    comment: '{\n  // why\n  "a": 1\n}',
    comma: '{ "a": [1,] }',
  };

  it.each([
    ["claude", ["comment", "comma"]],
    ["gemini", ["mark", "comma"]],
    ["qwen", ["comma"]],
    ["cline", ["mark", "comment", "comma"]],
    ["opencode", []],
  ] as const)("is named: %s", (id, unread) => {
    const client = configurableClients.find((one) => one.id === id);
    if (client === undefined) throw new Error("no client");
    const files = client.files(place(), settings);
    const file = files.at(-1)?.file ?? "";
    mkdirSync(path.dirname(file), { recursive: true });
    const found = Object.entries(extras).filter(([, text]) => {
      writeFileSync(file, text);
      return whyUnread(client, files) !== undefined;
    });
    expect(found.map(([name]) => name)).toEqual(unread);
    writeFileSync(file, extras.comma);
    if (unread.length > 0)
      expect(whyUnread(client, files)).toContain(`${file}:1:11: ${client.name} can't`);
  });
});

describe("Codex", () => {
  const client = configurableClients.find(({ id }) => id === "codex");
  if (client === undefined) throw new Error("no Codex");

  it("gets a provider of another name where the user's own is called gateway", () => {
    const file = path.join(home, ".codex", "config.toml");
    mkdirSync(path.dirname(file));
    const theirs = '[model_providers.gateway]\nname = "Mine"\nenv_key = "MINE"\n';
    writeFileSync(file, theirs);
    const store = connect(client);
    expect(readFileSync(file, "utf8")).toContain(theirs);
    expect(requestOf(client, client.files(place(), settings))).toMatchObject({
      base: `${settings.url}/v1`,
      key: settings.key,
    });
    connect(client, { model: "lab/other" });
    disconnect(store);
    expect(readFileSync(file, "utf8")).toBe(theirs);
  });
});

describe("Cline", () => {
  const client = configurableClients.find(({ id }) => id === "cline");
  if (client === undefined) throw new Error("no Cline");
  const fileOf = (): string => path.join(home, ".cline/data/settings/providers.json");

  /** As Cline does when it starts. */
  function touch(more: (entry: Record<string, unknown>) => void): void {
    const said = JSON.parse(readFileSync(fileOf(), "utf8")) as {
      providers: Record<string, Record<string, unknown>>;
    };
    const entry = said.providers["openai-compatible"] ?? {};
    entry["updatedAt"] = "2026-02-02T00:00:00.000Z";
    more(entry);
    writeFileSync(fileOf(), JSON.stringify(said, null, 2));
  }

  it("leaves no entry without settings where it has renewed the entry's time", () => {
    const store = connect(client);
    touch(() => {});
    disconnect(store);
    expect(existsSync(fileOf())).toBe(false);
  });

  it("keeps the time of an entry that its user has taken over", () => {
    const store = connect(client);
    touch((entry) => (entry["settings"] = { apiKey: "theirs" }));
    disconnect(store);
    expect(readFileSync(fileOf(), "utf8")).toContain("2026-02-02");
  });
});
