/** The same request in each format of clients. */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const message = { role: "user", content: "Again, please." };

export const bodies: readonly (readonly [ClientFormatName, JsonObject])[] = [
  ["chat", { model: "auto", temperature: 0.25, messages: [message] }],
  ["responses", { model: "auto", temperature: 0.25, input: [message] }],
  ["messages", { model: "auto", temperature: 0.25, max_tokens: 64, messages: [message] }],
  [
    "gemini",
    {
      contents: [{ role: "user", parts: [{ text: "Again, please." }] }],
      generationConfig: { temperature: 0.25 },
    },
  ],
];
