/** What a client's files say now, as the client itself will read them. */
import { existsSync } from "node:fs";
import type { ClientFile, ClientRequest, ConfigurableClient } from "../clients/client.ts";
import { findFile } from "../files/disk-file.ts";
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
