/** Secrets and texts that are in no place by chance. */
import { randomBytes } from "node:crypto";
import type { Canaries } from "./encodings.ts";

const random = (): string => randomBytes(12).toString("hex");

/** What the suite itself chooses; secrets that the gateway makes are added to them. */
export const chosenSecrets = {
  adminToken: `admin-${random()}${random()}`,
  metricsToken: `metrics-${random()}${random()}`,
  collectorHeader: `collector-${random()}${random()}`,
  providerKey: `provider-key-${random()}${random()}`,
  providerHeader: `provider-header-${random()}${random()}`,
  malformedKey: `malformed-${random()}${random()}`,
  forgedKey: `gw_forged${random()}${random()}`,
  queryKey: `gw_query${random()}${random()}`,
  cookie: `cookie-${random()}${random()}`,
  basic: `basic-${random()}${random()}`,
  webhookPath: `hook-${random()}${random()}`,
} as const satisfies Canaries;

/** Texts of requests and answers; the last ones are what the rules take out, wherever texts are kept. */
export const texts = {
  prompt: `prompt-${random()}`,
  system: `system-${random()}`,
  toolResult: `result-${random()}`,
  answer: `answer-${random()}`,
  toolInput: `input-${random()}`,
  header: `header-${random()}`,
} as const satisfies Canaries;

/** What clients say and models make beside conversations; where texts are kept, some of it is among them. */
export const besideTexts = {
  file: `file-${random()}`,
  embedded: `embedded-${random()}`,
  query: `query-${random()}`,
  found: `found-${random()}`,
  socket: `socket-${random()}`,
} as const satisfies Canaries;

/** Facts of the user's machine, which are kept nowhere. */
export const unkeptTexts = { context: `context-${random()}` } as const satisfies Canaries;

/** Stands in prompts and answers. */
export const redactedTexts = {
  secretInPrompt: `sk-prompt${random()}${random()}`,
  secretInAnswer: `sk-answer${random()}${random()}`,
  emailInPrompt: `mail${random()}@example.com`,
  ownInAnswer: `ACME-${random()}`,
} as const satisfies Canaries;
