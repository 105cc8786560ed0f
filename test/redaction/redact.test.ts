/** What is taken out of texts before they are kept, and what is not. */
import { describe, expect, it } from "vitest";
import { everyRule, redactedJson, redactedText, redactionOf } from "../../src/redaction/redact.ts";
import { random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";
import {
  cardTexts,
  keptJson,
  keptPlain,
  namedSecrets,
  privateKeyText,
  secretTexts,
} from "./kit.ts";

describe("what is taken out", () => {
  it.each(secretTexts)("a secret by its beginning: %s", (secret) => {
    expect(keptPlain(`use ${secret}, please`)).toBe("use [secret], please");
    expect(keptPlain(`"${secret}"`)).toBe('"[secret]"');
    expect(keptPlain(secret)).toBe("[secret]");
  });

  it.each(namedSecrets)("a secret by its name: %s", (before, secret) => {
    expect(keptPlain(`${before}${secret}@\nnext`)).not.toContain(secret);
    expect(keptJson({ text: `${before}${secret}@ next` })).not.toContain(secret);
  });

  it("a private key, also without its end", () => {
    expect(keptPlain(`a ${privateKeyText} b`)).toBe("a [secret] b");
    expect(keptJson([`a ${privateKeyText} b`])).toBe('["a [secret] b"]');
    expect(keptPlain(`a ${privateKeyText.slice(0, 300)}`)).toBe("a [secret]");
  });

  it.each(cardTexts)("a card: %s", (card) => {
    expect(keptPlain(`pay with ${card}.`)).toBe("pay with [card].");
    expect(keptJson({ card })).toBe('{"card":"[card]"}');
  });

  it.each(["ann@example.com", "a.b+c@mail.example.co.uk", "Jörg_1@bücher.example", "x%y@e-x.org"])(
    "an e-mail address: %s",
    (address) => {
      expect(keptPlain(`write to <${address}>, or not`)).toBe("write to <[email]>, or not");
      expect(keptPlain(`It is ${address}.`)).toBe("It is [email].");
    },
  );

  it("own patterns, as far as they match, each line by itself", () => {
    const setting = { patterns: ["ACME-[0-9]{6}", "^Project .*$"] };
    expect(keptPlain("see ACME-123456, ACME-12345", setting)).toBe("see [redacted], ACME-12345");
    expect(keptPlain("a\nProject X\nb Project Y", setting)).toBe("a\n[redacted]\nb Project Y");
    expect(keptJson({ messages: ["Project X", "Y\nProject Z"] }, setting)).toBe(
      '{"messages":["[redacted]","Y\\n[redacted]"]}',
    );
  });

  it("only what the rules of the harness name", () => {
    const text = "ann@example.com 4111111111111111 password=hunter2";
    expect(keptPlain(text, { rules: ["card"] })).toBe("ann@example.com [card] password=hunter2");
    expect(keptPlain(text, { rules: [], patterns: ["ann"] })).toBe(
      "[redacted]@example.com 4111111111111111 password=hunter2",
    );
    expect(keptPlain(text, {})).toBe("[email] [card] password=[secret]");
  });
});

describe("what stays", () => {
  it.each([
    "const password: string = readPassword();",
    "if (token === undefined) return token;",
    "token: tokens[0], secret: process.env.SECRET, password: user.password",
    'api_key: os.environ["OPENAI_API_KEY"]',
    "export OPENAI_API_KEY=$OTHER_KEY_2",
    "max_tokens: 4096, token_count=128000, tokenizer: 'o200k_harmony'",
    "token_expires_at: 2026-11-22T12:35:13Z",
    "import sklearn; pip install sk-learn-contrib-with-long-name",
    "task-management-system-for-large-teams and risk-assessment-of-many-things",
    "the bearer of good news; Bearer authentication is used",
    "gw_request_timeout_in_seconds",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "index 83db48f..bf269f4 100644",
    "sha512-4111111111111111aBcD+/==",
    "2026-11-22T12:35:13.123Z 1700000000000 1700000000000000000",
    "+49 30 1234567890, (555) 010-9999, 00 1 212 555 0100",
    "0.4111111111111111 and 4111111111111111.5 and v4111111111111111",
    "4111111111111112 1234567812345678",
    "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
    "git@github.com:example/project.git",
    "npm i @scope/package@1.2.3 left-pad@^1.3.0",
    "@Injectable() class A {} // a @ b",
    "https://example.com:8443/path?x=1#y",
    "git log --token and --password-file names; chmod -u root:root; the cookie: crumbs = good",
    "1.1111.1111.1111.1111 and 10.0.4111.1111",
    "C:\\Users\\ann\\notes.txt \\d+\\.\\w*",
  ])("%s", (text) => {
    expect(keptPlain(text)).toBe(text);
    expect(keptJson({ text })).toBe(JSON.stringify({ text }));
  });
});

describe("escapes", () => {
  const [secret = ""] = secretTexts;
  const spelled = Array.from(
    secret,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

  it("hide no secret in JSON, however deep", () => {
    for (const before of ["\n", '"', "\t", "\\", "\u0001"]) {
      let value: unknown = `${before}${secret}${before}`;
      for (let depth = 0; depth < 4; depth++) {
        const kept = keptJson({ value });
        expect(kept, JSON.stringify({ before, depth })).not.toContain(secret.slice(4));
        expect(() => JSON.parse(kept) as unknown).not.toThrow();
        value = JSON.stringify({ value });
      }
    }
  });

  it("hide none that is spelled by numbers, in part or whole, in texts and answers", () => {
    for (let from = 0; from < secret.length; from++) {
      const text =
        secret.slice(0, from) + spelled.slice(from, from + 3).join("") + secret.slice(from + 3);
      for (const kept of [keptPlain(`{"a":"${text}"}`), keptJson({ a: text })])
        expect(kept).toBe(kept.replace(/"a":".*"/, '"a":"[secret]"'));
    }
    expect(keptPlain(`"${spelled.join("")}"`)).toBe('"[secret]"');
  });

  it("find the name of a secret beside its value, as members and as escaped members", () => {
    const members = { password: "hunter2", nested: { api_key: "Zq7Xw2Lm9Tb4" } };
    expect(keptJson(members)).toBe('{"password":"[secret]","nested":{"api_key":"[secret]"}}');
    expect(keptJson({ input: JSON.stringify(members) })).toBe(
      JSON.stringify({ input: '{"password":"[secret]","nested":{"api_key":"[secret]"}}' }),
    );
  });
});

describe("what nobody sees", () => {
  it.each(["\u00ad", "\u200b", "\u2060", "\ufeff"])(
    "hides no secret and no address: %j",
    (sign) => {
      const [secret = ""] = secretTexts;
      const hidden = `${secret.slice(0, 9)}${sign}${secret.slice(9)}`;
      expect(keptPlain(`use ${hidden}, please`)).toBe("use [secret], please");
      expect(keptJson({ a: `ann${sign}@example.com` })).toBe('{"a":"[email]"}');
      expect(keptPlain(`a${sign}b`)).toBe(`a${sign}b`);
    },
  );
});

describe("the cut", () => {
  const most = 400;
  const whole = [...secretTexts, ...cardTexts, "ann.person@mail.example.com", "ACME-123456"];
  const redaction = redactionOf({ patterns: ["ACME-[0-9]{6}"] });

  it.each(whole)("keeps no half of what stands at it, at any place: %s", (text) => {
    for (let before = most - text.length - 12; before <= most + 1; before++) {
      const full = `${".".repeat(before - 1)} ${text} ${".".repeat(50)}`;
      const plain = redactedText({ text: full, most }, redaction);
      const json = redactedJson({ text: JSON.stringify([full]), most }, redaction);
      for (const kept of [plain, json]) {
        expect(kept.length).toBeLessThanOrEqual(most);
        expect(kept, `${before}`).toMatch(
          /^[["]*\.* ?(?:\[(?:email|secret|card|redacted)\] ?\.*)?$/,
        );
      }
    }
  });

  it("keeps nothing of a key that is longer than what is looked at", () => {
    const long = `-----BEGIN PRIVATE KEY-----\n${"Zq7Xw2Lm9Tb4\n".repeat(2000)}`;
    expect(redactedText({ text: `a ${long}`, most }, everyRule)).toBe("a [secret]");
    expect(
      redactedText(
        { text: `${"a ".repeat(199)}sk-${"Zq7Xw2Lm9Tb4".repeat(900)}`, most },
        everyRule,
      ),
    ).toBe("a ".repeat(199));
  });

  it("reads what stands at the edge of what it looks at as no more than it is", () => {
    const many = `${privateKeyText} `.repeat(30);
    expect(redactedText({ text: many, most }, everyRule)).toBe("[secret]");
  });
});

/** Pieces of which hostile texts consist. */
const pieces = [
  ...secretTexts,
  ...cardTexts,
  ...namedSecrets.flat(),
  "[email]",
  "[secret]",
  "[card]",
  "[redacted]",
  "[sec",
  "]",
  "ann@example.com",
  "@",
  ".",
  "\\",
  "\\\\",
  '"',
  "\\n",
  "\n",
  "\\u0041",
  "\\u00",
  "\ud83d",
  "\ude00",
  "😀",
  "\u0000",
  "é",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "=",
  ":",
  " ",
  ",",
  "a",
  "1",
  "A-1",
  "sk-",
  "eyJ",
  "token",
  "bearer ",
  "://",
] as const;
const settings = [
  undefined,
  { patterns: ["a", "[0-9]+", "=\\$?", "^\\W.*$", "redacted|email", "[^ ]\\\\", "😀|\\]", "n+"] },
  { rules: [] as const, patterns: ["[A-Za-z]{3}", ".$"] },
];

describe("any text at all", () => {
  it.each(seeds(3000))("is redacted once and for all, within bounds: %i", (seed) => {
    const chance = random(seed);
    const text = chance
      .list(1, 14, () => chance.pick(pieces as unknown as [string, ...string[]]))
      .join("");
    for (const setting of settings) {
      const plain = keptPlain(text, setting);
      expect(keptPlain(plain, setting)).toBe(plain);
      expect(plain.length).toBeLessThanOrEqual(6 * text.length + 10);
      const broken = redactedJson({ text, most: 20_000 }, redactionOf(setting));
      expect(redactedJson({ text: broken, most: 20_000 }, redactionOf(setting))).toBe(broken);
    }
    const json = keptJson([text]);
    expect(() => JSON.parse(json) as unknown).not.toThrow();
  });

  it.each(seeds(2000))("keeps no secret that stands by itself in it: %i", (seed) => {
    const chance = random(seed);
    const secret = chance.pick(secretTexts as unknown as [string, ...string[]]);
    const around = (): string =>
      chance.list(0, 6, () => chance.pick(pieces as unknown as [string, ...string[]])).join("");
    const text = `${around()} ${secret} ${around()}`;
    for (const kept of [keptPlain(text), keptJson([text]), keptJson([JSON.stringify([text])])])
      expect(kept).not.toContain(` ${secret} `);
  });
});
