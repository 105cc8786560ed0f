/** Connecting and disconnecting on the disk: afterwards every byte, mode, link and folder is as it was. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
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
import { planFile } from "../../scripts/cli/connect/plan.ts";
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

    it("leaves nothing where nothing was", () => {
      const store = connect(client);
      for (const { file } of client.files(place(), settings))
        expect(statSync(file).mode & 0o077).toBe(0);
      disconnect(store);
      expect(everything()).toEqual({});
      expect(existsSync(path.dirname(store.folder))).toBe(false);
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
