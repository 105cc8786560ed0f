/** Secrets and texts of the tests of redaction. None was ever anybody's. */
import { redactedJson, redactedText, redactionOf } from "../../src/redaction/redact.ts";
import type { RedactionSetting } from "../../src/redaction/redact.ts";

const most = 20_000;
const body = "Zq7Xw2Lm9Tb4Vc8Nd1Rk6Hs3";

/** A secret of each known kind. */
export const secretTexts: readonly string[] = [
  `gw_${body}${body}`,
  `gwa_${body}`,
  `whsec_${body}+/${body}=`,
  `sk-${body}`,
  `sk-ant-api03-${body}-${body}`,
  `sk-proj-${body}_${body}`,
  `AIza${body}${body}`.slice(0, 39),
  `xai-${body}`,
  `gsk_${body}`,
  `ghp_${body}`,
  `github_pat_${body}_${body}`,
  `glpat-${body}`,
  `xoxb-${body}`,
  `hf_${body}`,
  "AKIAZQ7XW2LM9TB4VC8N",
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${body}`,
  `ya29.${body}`,
  `pypi-${body}`,
  `dop_v1_${body}`,
  `gldt-${body}`,
  `hvs.${body}`,
  `dp.pt.${body}`,
  `shpat_${body}`,
  `lin_api_${body}`,
  `nvapi-${body}`,
];

/** What stands before a secret, and the secret. */
export const namedSecrets: readonly (readonly [string, string])[] = [
  ["Authorization: Bearer ", body],
  ["authorization: Basic ", "dXNlcjpwYXNzdzByZA=="],
  ["password=", "hunter2"],
  ['"password": "', "correct-horse7"],
  ["DB_PASSWORD=", "s3cr3t!"],
  ["client_secret: ", body],
  ["x-api-key: ", body],
  ["api_key = '", body],
  ["clientSecret => `", body],
  ["token=", body],
  ["postgres://app:", "w0rd9"],
  ["postgres://app:p@", "w0rd9"],
  ["AccountKey=", `${body}==`],
  ["https://hooks.slack.com/services/", `T00/B00/${body}`],
  ["https://discord.com/api/webhooks/", `1234567890/${body}`],
  ["https://files.example/a?sig=", `${body}%3D`],
  ["Cookie: ", `theme=dark; id=${body}`],
  ["curl -u admin:", "s3cretWord"],
  ["login --password ", "s3cretWord"],
];

export const privateKeyText = [
  "-----BEGIN RSA PRIVATE KEY-----",
  ...Array.from({ length: 12 }, () => `${body}${body}${body}`.slice(0, 64)),
  "-----END RSA PRIVATE KEY-----",
].join("\n");

/** Numbers that card networks publish for tests. */
export const cardTexts: readonly string[] = [
  "4111111111111111",
  "4111 1111 1111 1111",
  "4111-1111-1111-1111",
  "4111 1111-1111  1111",
  "4111\u00a01111\u00a01111\u00a01111",
  "4111.1111.1111.1111",
  "5555555555554444",
  "2223003122003222",
  "378282246310005",
  "3782 822463 10005",
  "6011111111111117",
  "3530111333300000",
  "30569309025904",
  "6200000000000005",
];

/** The text as it would be kept. */
export function keptPlain(text: string, setting?: RedactionSetting): string {
  return redactedText({ text, most }, redactionOf(setting));
}

/** The same of a value whose JSON text is kept. */
export function keptJson(value: unknown, setting?: RedactionSetting): string {
  return redactedJson({ text: JSON.stringify(value), most }, redactionOf(setting));
}
