/** The formats of configuration files. */
import { environmentText } from "./environment-text.ts";
import { jsonText } from "./json-text.ts";
import type { TextEditor } from "./member.ts";
import { tomlText } from "./toml-text.ts";
import { yamlText } from "./yaml-text.ts";

/** How each is edited. */
export const textEditors = {
  json: jsonText,
  toml: tomlText,
  environment: environmentText,
  yaml: yamlText,
} as const satisfies Record<string, TextEditor>;

export type TextFormat = keyof typeof textEditors;
