/** Signing secrets of webhooks, as Standard Webhooks write them. */
import type { SealPlace } from "./seal.ts";

/** Within the 24 to 64 bytes that Standard Webhooks want. */
const secretBytes = 32;

/** A new secret: `whsec_` and base64. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Where the secret of a webhook belongs when it is sealed. */
export function webhookSecretPlace(workspace: string, webhook: string): SealPlace {
  return { workspace, provider: `webhook:${webhook}`, field: "secret" };
}
