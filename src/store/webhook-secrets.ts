/** Signing secrets of webhooks, as Standard Webhooks write them: `whsec_` and base64 of 24 random bytes. */
import type { Keyring } from "./keyring.ts";
import { isOutdated, open, seal, type SealPlace } from "./seal.ts";

/** Whose secret it is. */
export interface WebhookPlace {
  workspace: string;
  /** Id of the webhook. */
  id: string;
}

/** A new secret; it is shown once and stored sealed. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Sealed with the newest encryption key, for this webhook alone. */
export async function sealWebhookSecret(
  secret: string,
  place: WebhookPlace,
  ring: Keyring,
): Promise<string> {
  return await seal(secret, sealPlace(place), ring);
}

/** The secret in plain text; undefined where its encryption key is gone. */
export async function openWebhookSecret(
  sealed: string,
  place: WebhookPlace,
  ring: Keyring,
): Promise<string | undefined> {
  return await open(sealed, sealPlace(place), ring);
}

/** Sealed with the newest encryption key; undefined where that is so already, or its key is gone. */
export async function renewedWebhookSecret(
  sealed: string,
  place: WebhookPlace,
  ring: Keyring,
): Promise<string | undefined> {
  if (!isOutdated(sealed, ring)) return undefined;
  const secret = await openWebhookSecret(sealed, place, ring);
  return secret === undefined ? undefined : await sealWebhookSecret(secret, place, ring);
}

/** No provider has an empty id. */
function sealPlace({ workspace, id }: WebhookPlace): SealPlace {
  return { workspace, provider: "", field: `webhooks.${id}` };
}
