/** What a client's files say now, as the client itself will read them. */
import { existsSync } from "node:fs";
import type { ClientFile, ClientRequest, ConfigurableClient } from "../clients/client.ts";
import { findFile } from "../files/disk-file.ts";
import { findExtra } from "../files/json-extras.ts";
import { textEditors } from "../files/formats.ts";
import { textOf } from "./file-text.ts";
import { inWords } from "./plan.ts";

/** The request that it will send. Throws, in words, where its files do not lead to a gateway. */
export function requestOf(client: ConfigurableClient, files: readonly ClientFile[]): ClientRequest {
  return client.request(
    files.map((wanted) => {
      if (!existsSync(wanted.file)) throw new Error(`${wanted.file} is gone`);
      const { file, bytes } = findFile(wanted.file);
      const text = textOf(file, bytes ?? Buffer.alloc(0));
      return wanted.kind === "own"
        ? text
        : inWords(file, () => textEditors[wanted.format].read(text));
    }),
  );
}

/** What keeps the client from reading a file that connect could edit, in words; undefined where nothing does. */
export function whyUnread(
  { name }: ConfigurableClient,
  files: readonly ClientFile[],
): string | undefined {
  for (const wanted of files) {
    if (wanted.kind === "own" || wanted.unreadable === undefined) continue;
    const { file, bytes } = findFile(wanted.file);
    const extra = findExtra(textOf(file, bytes ?? Buffer.alloc(0)), wanted.unreadable);
    if (extra !== undefined)
      return `${file}:${extra.line}:${extra.column}: ${name} can't read a file with ${extra.kind}. Remove it, or ${name} ignores or refuses the file.`;
  }
  return undefined;
}
