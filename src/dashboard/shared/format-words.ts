/** Formats and operations in words. */
import { clientFormatNames } from "../../core/format-name.ts";
import type { LoggedFormat } from "../../core/operation-name.ts";

/** What the log's `format` says, for people. */
export const formatWords: Readonly<Record<LoggedFormat, string>> = {
  chat: "OpenAI chat",
  responses: "OpenAI Responses",
  messages: "Anthropic Messages",
  gemini: "Google Gemini",
  embeddings: "Embeddings",
  images: "Images",
  image_edits: "Image edits",
  speech: "Speech",
  transcriptions: "Transcription",
  translations: "Speech translation",
  completions: "Text completions",
  moderations: "Moderation",
  rerank: "Rerank",
};

/** The formats of clients, as a `Select` offers them. */
export const formatOptions = clientFormatNames.map((name) => ({
  value: name,
  label: formatWords[name],
}));
