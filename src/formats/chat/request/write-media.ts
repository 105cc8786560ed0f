/** Images, documents and sound as content parts of a chat request. */
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { fileNamePath } from "../../../translation/client-paths.ts";
import { base64Text, writeDataUrl } from "../../../translation/media.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import { audioFormat } from "./audio-formats.ts";

/** Writes the blocks of a document that is made of blocks. */
type WriteNested = (blocks: readonly Block[]) => JsonObject[];

/** Media that cannot be put into words: everything but text documents. */
export function isMedia(block: Block): block is MediaBlock {
  return block.kind === "media" && block.source.type !== "text" && block.source.type !== "blocks";
}

/** A text part, unless there is nothing to say. */
export function textParts(text: string): JsonObject[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** Throws M300 for media that chat has no part for or that the model does not take. */
export function writeMedia(
  block: MediaBlock,
  nested: WriteNested,
  context: WriteContext,
): JsonObject[] {
  const { source } = block;
  if (block.name !== undefined && block.media !== "document")
    context.dropped.add(fileNamePath(block, context.request.format));
  switch (source.type) {
    case "text":
      return textParts([...titleLines(block), source.text].join("\n"));
    case "blocks":
      return [...textParts(titleLines(block).join("\n")), ...nested(source.blocks)];
    case "file":
      throw invalid(block.path, "a file id belongs to one provider and cannot be sent to another");
    case "url":
      return [...textParts(block.context ?? ""), writeUrl(block, source.url, context)];
    case "bytes":
      return [...textParts(block.context ?? ""), writeBytes(block, source, context)];
    default:
      return source satisfies never;
  }
}

function titleLines(block: MediaBlock): string[] {
  return [block.name, block.context].filter((line) => line !== undefined);
}

function writeUrl(block: MediaBlock, url: string, context: WriteContext): JsonObject {
  if (block.media !== "image")
    throw invalid(block.path, `${block.media} by URL cannot be sent to this model`);
  if (!context.target.traits.imageUrls)
    throw invalid(block.path, "an image by URL cannot be sent to this model");
  return image(url, block);
}

function image(url: string, block: MediaBlock): JsonObject {
  // `original` is no word of chat; `high` is the nearest.
  const detail = block.detail === "original" ? "high" : block.detail;
  return { type: "image_url", image_url: { url, ...(detail !== undefined && { detail }) } };
}

function writeBytes(
  block: MediaBlock,
  source: { mime: string; data: string },
  context: WriteContext,
): JsonObject {
  switch (block.media) {
    case "image":
      return image(writeDataUrl(source), block);
    case "document":
      if (isTextType(source.mime)) return textFile(block, source.data);
      return {
        type: "file",
        file: { filename: block.name ?? "document.pdf", file_data: writeDataUrl(source) },
      };
    case "audio":
      if (!context.target.traits.audio)
        throw invalid(block.path, "audio cannot be sent to this model");
      return {
        type: "input_audio",
        input_audio: { data: source.data, format: audioFormat(source.mime) },
      };
    case "video":
      throw invalid(block.path, "video cannot be sent to this model");
    default:
      return block.media satisfies never;
  }
}

function isTextType(mime: string): boolean {
  return mime.startsWith("text/") || /^application\/(json|xml|x-yaml|yaml)/.test(mime);
}

/** Files that are text go as text: few servers read any file but a PDF. */
function textFile(block: MediaBlock, data: string): JsonObject {
  const title = block.name === undefined ? [] : [block.name];
  return { type: "text", text: [...title, base64Text(data)].join("\n") };
}
