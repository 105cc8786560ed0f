/** Secrets in the document: sealed where it is stored, masked where it is shown, kept where `***` comes back. */
import { invalid } from "../core/problem.ts";
import type { Config, ProviderEntry } from "./config.ts";
import type { Keyring } from "./keyring.ts";
import { isOutdated, isSealed, open, seal, type SealPlace } from "./seal.ts";

/** Stands for a secret that is stored. */
export const mask = "***";

/** Headers whose value is a secret by their name. */
export function isSecretHeader(name: string): boolean {
  return /auth|key|token|secret|passw|passphrase|cookie|credential|signature/i.test(name);
}

/** The document with `***` in the place of every secret. */
export function maskedConfig(config: Config): Config {
  return withProviders(config, (entry) => {
    const masked = { ...entry };
    if (entry.api_key !== undefined) masked.api_key = mask;
    if (entry.headers !== undefined) {
      masked.headers = mapHeaders(entry.headers, (name, value) =>
        isSecretHeader(name) ? mask : value,
      );
    }
    return masked;
  });
}

/** What sealing a document needs. */
export interface SealContext {
  workspace: string;
  /** As stored, with sealed secrets. */
  stored: Config;
  ring: Keyring;
}

/** The document to store: new secrets sealed, `***` replaced by what is stored. Throws where that cannot be. */
export async function sealedConfig(config: Config, context: SealContext): Promise<Config> {
  const stored = new Map((context.stored.providers ?? []).map((entry) => [entry.id, entry]));
  const providers = await Promise.all(
    (config.providers ?? []).map((entry, index) =>
      sealedEntry(entry, { ...context, before: stored.get(entry.id), path: `providers[${index}]` }),
    ),
  );
  return config.providers === undefined ? config : { ...config, providers };
}

interface EntryContext {
  workspace: string;
  ring: Keyring;
  before: ProviderEntry | undefined;
  path: string;
}

async function sealedEntry(entry: ProviderEntry, context: EntryContext): Promise<ProviderEntry> {
  const sealed = { ...entry };
  const secret = (field: string, text: string, before: string | undefined) =>
    sealedSecret(text, { ...context, entry, field, secretBefore: before });
  if (entry.api_key !== undefined) {
    sealed.api_key = await secret("api_key", entry.api_key.trim(), context.before?.api_key);
  }
  if (entry.headers !== undefined) {
    const before = new Map(
      Object.entries(context.before?.headers ?? {}).map(([name, value]) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const pairs = Object.entries(entry.headers).map(async ([name, value]) => {
      if (!isSecretHeader(name)) return [name, value] as const;
      const field = headerField(name);
      return [name, await secret(field, value, before.get(name.toLowerCase()))] as const;
    });
    sealed.headers = Object.fromEntries(await Promise.all(pairs));
  }
  return sealed;
}

/** The field by which a header's secret is sealed. */
export function headerField(name: string): string {
  return `headers.${name.toLowerCase()}`;
}

async function sealedSecret(
  text: string,
  context: EntryContext & { entry: ProviderEntry; field: string; secretBefore: string | undefined },
): Promise<string> {
  const { entry, before, field, secretBefore, ring } = context;
  const place: SealPlace = { workspace: context.workspace, provider: entry.id, field };
  if (text !== mask) return sealedUnlessSame(text, { secretBefore, place, ring });
  const path = `${context.path}.${field}`;
  if (before === undefined || secretBefore === undefined) {
    throw invalid(path, "no secret is stored; enter one");
  }
  if (before.kind !== entry.kind) throw invalid(path, "the kind changed; enter the secret again");
  if (before.base_url !== entry.base_url) {
    throw invalid(path, "the base_url changed; enter the secret again");
  }
  return renewed(secretBefore, place, ring);
}

/** A secret that is entered again stays as it is stored: its document did not change. */
async function sealedUnlessSame(
  text: string,
  {
    secretBefore,
    place,
    ring,
  }: { secretBefore: string | undefined; place: SealPlace; ring: Keyring },
): Promise<string> {
  const known = secretBefore === undefined ? undefined : await open(secretBefore, place, ring);
  if (secretBefore === undefined || known !== text) return await seal(text, place, ring);
  return await renewed(secretBefore, place, ring);
}

/** The stored document with every secret sealed by the newest key; undefined when that is so already. */
export async function renewedConfig(
  config: Config,
  { workspace, ring }: { workspace: string; ring: Keyring },
): Promise<Config | undefined> {
  if (!storedSecrets(config).some((text) => needsSealing(text, ring))) return undefined;
  return sealedConfig(maskedConfig(config), { workspace, stored: config, ring });
}

/** The document with its secrets in plain text; `***` where one cannot be opened, or belongs elsewhere. */
export async function openedConfig(
  config: Config,
  { workspace, ring }: { workspace: string; ring: Keyring },
): Promise<Config> {
  if (config.providers === undefined) return config;
  const providers = config.providers.map(async (entry) => {
    const { apiKey, headers } = await openedSecrets(entry, workspace, ring);
    const opened = { ...entry };
    if (entry.api_key !== undefined) opened.api_key = apiKey ?? mask;
    if (entry.headers !== undefined) {
      opened.headers = mapHeaders(entry.headers, (name, value) =>
        isSecretHeader(name) ? (headers[name] ?? mask) : value,
      );
    }
    return opened;
  });
  return { ...config, providers: await Promise.all(providers) };
}

/** Whether the document was stored when one of its headers did not count as a secret yet. */
export function hasPlainSecrets(config: Config): boolean {
  return storedSecrets(config).some((text) => !isSealed(text));
}

/** The secrets of a stored document, as they stand there. */
function storedSecrets(config: Config): string[] {
  return (config.providers ?? []).flatMap(({ api_key, headers }) => [
    ...(api_key === undefined ? [] : [api_key]),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      isSecretHeader(name) ? [value] : [],
    ),
  ]);
}

function needsSealing(text: string, ring: Keyring): boolean {
  return !isSealed(text) || isOutdated(text, ring);
}

/** Sealed with the newest key; as it stands when its key is gone, so that nothing is lost by saving. */
async function renewed(stored: string, place: SealPlace, ring: Keyring): Promise<string> {
  if (!needsSealing(stored, ring)) return stored;
  const text = isSealed(stored) ? await open(stored, place, ring) : stored;
  return text === undefined ? stored : seal(text, place, ring);
}

function withProviders(config: Config, change: (entry: ProviderEntry) => ProviderEntry): Config {
  if (config.providers === undefined) return config;
  return { ...config, providers: config.providers.map(change) };
}

function mapHeaders(
  headers: Record<string, string>,
  change: (name: string, value: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, change(name, value)]),
  );
}

/** A provider's secrets in plain text. */
export interface OpenedSecrets {
  /** Undefined when there is none, or none that can be opened. */
  apiKey: string | undefined;
  /** The entry's secret headers, opened. */
  headers: Record<string, string>;
}

/** What an attempt needs of a stored entry's secrets. */
export async function openedSecrets(
  entry: ProviderEntry,
  workspace: string,
  ring: Keyring,
): Promise<OpenedSecrets> {
  const place = (field: string): SealPlace => ({ workspace, provider: entry.id, field });
  const apiKey =
    entry.api_key === undefined ? undefined : await open(entry.api_key, place("api_key"), ring);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(entry.headers ?? {})) {
    if (!isSecretHeader(name)) continue;
    // Plain where it was stored before headers of this name counted as secrets.
    const text = isSealed(value) ? await open(value, place(headerField(name)), ring) : value;
    if (text !== undefined) headers[name] = text;
  }
  return { apiKey, headers };
}
