/**
 * Signatures of what the billing system sends, and of the usage that it is sent: `t=<unix seconds>,v1=<hex>`, an
 * HMAC-SHA256 of the time, a dot and the exact body by the setting `BILLING_SECRET`.
 */
import type { Env } from "./env.ts";
import { hex } from "./keyring.ts";
import { sameBytes } from "./keys.ts";
import { SettingsError } from "./settings-error.ts";

type BillingSettings = Partial<Pick<Env, "BILLING_SECRET">>;

/** Seconds by which the clocks of both sides may differ. */
const tolerance = 300;
const shortestSecret = 16;

/** Throws SettingsError for a secret that is short enough to be guessed; an empty one is not set. */
export function checkBillingSecret({ BILLING_SECRET: secret = "" }: BillingSettings): void {
  if (secret === "" || secret.length >= shortestSecret) return;
  throw new SettingsError(
    `The setting BILLING_SECRET has ${secret.length} characters: use at least ${shortestSecret}.`,
  );
}

/** The value of `X-Gateway-Signature` for a body that is sent now; undefined without the setting. */
export async function billingSignature(
  { BILLING_SECRET: secret = "" }: BillingSettings,
  body: Uint8Array,
  now: number,
): Promise<string | undefined> {
  if (secret === "") return undefined;
  const time = Math.floor(now / 1000);
  return `t=${time},v1=${hex(await macOf(secret, time, body))}`;
}

/** What came, with its signature. */
export interface SignedBody {
  /** The header's value. */
  readonly signature: string;
  readonly body: Uint8Array;
}

/** When it was signed, unix seconds; undefined when the signature is wrong, too old or ahead of its time. */
export async function signedAt(
  { BILLING_SECRET: secret = "" }: BillingSettings,
  { signature, body }: SignedBody,
  now: number,
): Promise<number | undefined> {
  const time = Number(/(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(signature)?.[1] ?? NaN);
  if (secret === "" || !(Math.abs(now / 1000 - time) <= tolerance)) return undefined;
  const right = new TextEncoder().encode(hex(await macOf(secret, time, body)));
  const given = [...signature.matchAll(/(?:^|,)\s*v1=([0-9a-fA-F]{64})(?=,|$)/g)];
  const isRight = given.some(([, mac = ""]) =>
    sameBytes(new TextEncoder().encode(mac.toLowerCase()), right),
  );
  return isRight ? time : undefined;
}

async function macOf(secret: string, time: number, body: Uint8Array): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  const head = encoder.encode(`${time}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
}
