/** The formats that the gateway speaks, by name. A new format begins with a row here and a folder in `formats/`. */

/** Who speaks it: clients, providers, or both. */
const speakers = {
  chat: "both",
  responses: "both",
  messages: "both",
  gemini: "both",
} as const satisfies Record<string, "both" | "clients" | "providers">;

/** OpenAI chat completions, OpenAI Responses, Anthropic Messages, Google Gemini. */
export type FormatName = keyof typeof speakers;

/** A format that clients speak. */
export type ClientFormatName = {
  [Name in FormatName]: (typeof speakers)[Name] extends "providers" ? never : Name;
}[FormatName];

/** A format that providers speak. */
export type ProviderFormatName = {
  [Name in FormatName]: (typeof speakers)[Name] extends "clients" ? never : Name;
}[FormatName];

export const formatNames = Object.keys(speakers) as FormatName[];

export const clientFormatNames = formatNames.filter(isClientFormat);

export const providerFormatNames = formatNames.filter(isProviderFormat);

export function isProviderFormat(name: string): name is ProviderFormatName {
  // The comparison is with every value that a row may have.
  const speaker: string | undefined = isFormat(name) ? speakers[name] : undefined;
  return speaker !== undefined && speaker !== "clients";
}

export function isFormat(name: string): name is FormatName {
  return Object.hasOwn(speakers, name);
}

export function isClientFormat(name: string): name is ClientFormatName {
  const speaker: string | undefined = isFormat(name) ? speakers[name] : undefined;
  return speaker !== undefined && speaker !== "providers";
}
