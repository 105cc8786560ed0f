/** Configuration files: putting members in and taking them out again gives back every byte. */
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { textEditors, type TextFormat } from "../../scripts/cli/files/formats.ts";
import {
  isSameValue,
  MalformedText,
  memberAt,
  membersOf,
  UneditableText,
  type Member,
} from "../../scripts/cli/files/member.ts";
import { insertionsOf, takeOut } from "../../scripts/cli/files/take-out.ts";
import { random as randomOf, type Random } from "../kit/random.ts";

const members: Record<TextFormat, Member[]> = {
  json: membersOf({
    model: "auto",
    env: { BASE_URL: "http://127.0.0.1:1/v1", TOKEN: "gw_1" },
    provider: { gateway: { options: { apiKey: "gw_1" }, models: { auto: { inputs: ["text"] } } } },
  }),
  toml: membersOf({
    model: "auto",
    model_provider: "gateway",
    model_providers: { gateway: { name: "Gateway", base_url: "http://127.0.0.1:1/v1" } },
  }),
  environment: membersOf({ API_KEY: "gw_1", BASE_URL: "http://127.0.0.1:1" }),
  yaml: [
    { path: ["schema"], value: "v1" },
    { path: ["models", "Gateway"], value: { name: "Gateway", apiKey: "gw_1", roles: ["chat"] } },
  ],
};

const count = 300;

describe.each(Object.keys(textEditors) as TextFormat[])("%s", (format) => {
  const editor = textEditors[format];
  const texts = Array.from({ length: count }, (_, seed) => generated(format, randomOf(seed)));

  it("says what was put in, and everything else as before", () => {
    for (const text of texts) {
      const after = editor.set(text, members[format]);
      const said = editor.read(after);
      for (const { path, value } of members[format])
        expect(isSameValue(memberAt(said, path), value), `${after}\n${path.join(".")}`).toBe(true);
      for (const line of foreignLines(text)) expect(after).toContain(line.replace(/,$/, ""));
    }
  });

  it("says the same when the same is put in again", () => {
    for (const text of texts) {
      const once = editor.set(text, members[format]);
      expect(editor.set(once, members[format])).toBe(once);
    }
  });

  it("takes its own out of a file that was changed since, and leaves what was added", () => {
    for (const text of texts) {
      const insertions = insertionsOf(editor.read(text), members[format]);
      const after = editor.set(text, members[format]);
      const changed = after + added[format](after);
      const bare = takeOut(editor, changed, insertions);
      const said = editor.read(bare);
      for (const { path, before } of insertions.members)
        expect(isSameValue(memberAt(said, path), before), bare).toBe(true);
      for (const line of [...foreignLines(text), ...foreignLines(added[format](after))])
        expect(bare).toContain(line.replace(/,$/, ""));
    }
  });

  it("leaves a member that the user has changed since", () => {
    const [first] = members[format];
    if (first === undefined) throw new Error("no members");
    const insertions = insertionsOf({}, members[format]);
    const theirs = { path: first.path, value: "theirs" };
    const after = editor.set(editor.set("", members[format]), [theirs]);
    const said = editor.read(takeOut(editor, after, insertions));
    expect(memberAt(said, first.path)).toBe("theirs");
    expect(membersOf(said)).toHaveLength(1);
  });
});

describe("malformed files", () => {
  it.each([
    ["json", '{\n  "a": 1,\n  oops\n}', { line: 3, message: "invalid symbol" }],
    ["toml", "a = 1\nb = = 2\n", { line: 2, message: "invalid value" }],
    ["yaml", "a: 1\n\tb: 2\n", { line: 2, message: "Tabs are not allowed as indentation" }],
  ] as const)("are refused with their line and plain words: %s", (format, text, said) => {
    const read = (): unknown => textEditors[format].set(text, members[format]);
    expect(read).toThrow(MalformedText);
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject(said);
    }
  });
});

describe("good files that can't be edited in place", () => {
  it.each([
    ["json", '{ "env": null }', '"env" is not an object'],
    ["json", "[]", "the file is not a JSON object"],
    ["toml", "model_providers = 1\n", '"model_providers" is not an object'],
    ["toml", 'model_providers = { gateway = { name = "x" } }\n', "its tables have a form"],
    ["yaml", "{ name: x }\n", "the file is not a block mapping"],
    ["yaml", "name: x\n...\n", "it has a form that can't be edited"],
  ] as const)("are refused in words that name what is in the way: %s %s", (format, text, words) => {
    const edit = (): string => textEditors[format].set(text, members[format]);
    expect(edit).toThrow(UneditableText);
    expect(edit).toThrow(words);
  });
});

describe("a list of models that is empty", () => {
  it.each(["models: []\n", "models:\n", "models: [] # none\r\nrules: []\r\n", "\uFEFFmodels: ~"])(
    "takes a model, and is a list again without it: %j",
    (text) => {
      const after = textEditors.yaml.set(text, members.yaml);
      const insertions = insertionsOf(textEditors.yaml.read(text), members.yaml);
      const later = textEditors.yaml.set(after, [{ path: ["later"], value: "mine" }]);
      const bare = takeOut(textEditors.yaml, later, insertions);
      expect(parseDocument(bare).toJS()).toMatchObject({ models: [], later: "mine" });
      expect(bare.includes("# none")).toBe(text.includes("# none"));
    },
  );
});

/** Another program's lines at the end of a file. */
const added: Record<TextFormat, (text: string) => string> = {
  json: (text) => `${text.endsWith("\n") ? "" : "\n"}// added later\n`,
  toml: (text) => `${text.endsWith("\n") ? "" : "\n"}[added]\nlater = true\n`,
  environment: (text) => `${text.endsWith("\n") ? "" : "\n"}ADDED=later\n`,
  yaml: (text) => `${text.endsWith("\n") ? "" : "\n"}added: later\n`,
};

/** Lines that are nobody's business but their author's: each is marked. */
function foreignLines(text: string): string[] {
  return text
    .replace("\uFEFF", "")
    .split(/\r?\n/)
    .filter((line) => /mine|later/.test(line));
}

function generated(format: TextFormat, random: Random): string {
  const lines = generators[format](random);
  const end = random.chance(0.5) ? "\n" : "\r\n";
  const mark = random.chance(0.2) ? "\uFEFF" : "";
  const last = random.chance(0.7) ? end : "";
  return mark + lines.join(end) + (lines.length > 0 ? last : "");
}

const generators: Record<TextFormat, (random: Random) => string[]> = {
  json(random) {
    if (random.chance(0.1)) return [];
    const indent = random.pick(["  ", "    ", "\t"]);
    const inner = [
      random.chance(0.5) && [`"mine": { "deep": [1, 2, { "x": null }] }`],
      random.chance(0.4) && [`"env": {`, `${indent}// mine`, `${indent}"MINE": "1"`, "}"],
      random.chance(0.3) && [
        `"provider": { "gateway": { "options": { "apiKey": "old", "more": 1 } } }`,
      ],
      random.chance(0.3) && [`"model": "old"`],
    ].filter((part) => part !== false);
    const body = inner.flatMap((part, at) =>
      part.map(
        (line, row) =>
          indent + line + (row === part.length - 1 && at < inner.length - 1 ? "," : ""),
      ),
    );
    const comment = random.chance(0.5) ? ["// mine, at the head"] : [];
    return [...comment, "{", ...body, "}"];
  },
  toml(random) {
    const root = [
      random.chance(0.5) && "# mine",
      random.chance(0.4) && `model = "old" # why`,
      random.chance(0.2) && "mine_long = 9007199254740993",
      random.chance(0.4) && `mine = [\n  "a", # ]\n  "b"\n]`,
      random.chance(0.4) && `mine-text = """\n[not.a.table]\nmodel = 'no'\n"""`,
    ];
    const tables = [
      random.chance(0.4) && `[profiles.mine]\nmodel = "other" # mine`,
      random.chance(0.3) && `\n[model_providers.mine]\nname = 'mine'`,
      random.chance(0.3) && `[model_providers.gateway]\nname = "old"\nmore-mine = 1`,
      random.chance(0.3) && `[[mine-list]]\nx = { y = "}" }\n# mine, at the end`,
    ];
    return [...root, ...tables].filter((line) => line !== false);
  },
  environment(random) {
    return [
      random.chance(0.5) && "# mine",
      random.chance(0.4) && "API_KEY=old # why",
      random.chance(0.4) && `MINE="two\nlines"`,
      random.chance(0.4) && "export OTHER_MINE='x'",
    ].filter((line) => line !== false);
  },
  yaml(random) {
    const indent = random.pick(["", "  ", "    "]);
    return [
      random.chance(0.5) && "# mine",
      random.chance(0.5) && "schema: v1",
      random.chance(0.5) && "rules: [mine, other]",
      random.pick<string | false>([
        false,
        `models:\n${indent}- name: Mine # mine\n${indent}  provider: openai`,
        `models:\n${indent}- uses: mine/block\n${indent}- name: Mine\n${indent}- uses: mine/other`,
        "models: [] # none",
        "models: # none",
      ]),
      random.chance(0.4) && "# mine, at the end",
    ].filter((line) => line !== false);
  },
};
