/** The formats by name: the one list of them. */
import type { ClientFormat, Format, ProviderFormat } from "../core/format.ts";
import {
  clientFormatNames,
  providerFormatNames,
  type ClientFormatName,
  type FormatName,
  type ProviderFormatName,
} from "../core/format-name.ts";
import { chat } from "./chat/index.ts";
import { gemini } from "./gemini/index.ts";
import { messages } from "./messages/index.ts";
import { responses } from "./responses/index.ts";

const formats = { chat, responses, messages, gemini } as const satisfies Record<FormatName, Format>;

/** The halves that clients speak. */
export const clientFormats = Object.fromEntries(
  clientFormatNames.map((name) => [name, formats[name].client]),
  // One entry for each name.
) as Readonly<Record<ClientFormatName, ClientFormat>>;

/** The halves that providers speak. */
export const providerFormats = Object.fromEntries(
  providerFormatNames.map((name) => [name, formats[name].provider]),
  // One entry for each name.
) as Readonly<Record<ProviderFormatName, ProviderFormat>>;
