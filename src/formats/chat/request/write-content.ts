/** Neutral blocks -> content parts of a chat request. */
import type { JsonObject } from "../../../lib/json.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, CacheMark, MediaBlock } from "../../../core/request.ts";
import { writeDataUrl } from "../../../translation/media.ts";
import { audioFormat, textOf } from "./audio-formats.ts";
import type { Writing } from "./write-context.ts";

/** Parts of a user message. Throws M300 for media that chat has no words for. */
export function writeParts(blocks: readonly Block[], writing: Writing): JsonObject[] {
  return blocks.flatMap((block) => writePart(block, writing));
}

/** All that the blocks say in words, without media. */
export function plainText(blocks: readonly Block[], writing: Writing, joint: string): string {
  return writeParts(
    blocks.filter((block) => !isMedia(block)),
    writing,
  )
    .map((part) => part["text"])
    .filter((text) => typeof text === "string")
    .join(joint);
}

/** Media that cannot be put into words: everything but text documents. */
export function isMedia(block: Block): block is MediaBlock {
  return block.kind === "media" && block.source.type !== "text" && block.source.type !== "blocks";
}

/** A cache breakpoint has no place in chat. */
export function noteCache(block: { cache?: CacheMark }, writing: Writing): void {
  if (block.cache) writing.dropped.add(block.cache.path);
}

function writePart(block: Block, writing: Writing): JsonObject[] {
  switch (block.kind) {
    case "text":
      noteCache(block, writing);
      if (block.citationsPath !== undefined) writing.dropped.add(block.citationsPath);
      return words(block.text);
    case "refusal":
      return words(block.text);
    case "reference":
      return words(`Loaded tool: ${block.tool}`);
    case "media":
      noteCache(block, writing);
      return writeMedia(block, writing);
    case "opaque":
      if (block.text === undefined && block.weight === "essential")
        throw invalid(block.path, `${block.type} cannot be sent to this model`);
      writing.dropped.add(block.path);
      return words(block.text ?? "");
    case "thinking":
      writing.dropped.add(block.path);
      return [];
    case "call":
    case "result":
      return [];
    default:
      return block satisfies never;
  }
}

function words(said: string): JsonObject[] {
  return said === "" ? [] : [{ type: "text", text: said }];
}

function writeMedia(block: MediaBlock, writing: Writing): JsonObject[] {
  const { source } = block;
  switch (source.type) {
    case "text":
      return words([...titleLines(block), source.text].join("\n"));
    case "blocks":
      return [...words(titleLines(block).join("\n")), ...writeParts(source.blocks, writing)];
    case "file":
      throw invalid(block.path, "a file id belongs to one provider and cannot be sent to another");
    case "url":
      return [...words(block.context ?? ""), writeUrl(block, source.url, writing)];
    case "bytes":
      return [...words(block.context ?? ""), writeBytes(block, source, writing)];
    default:
      return source satisfies never;
  }
}

function titleLines(block: MediaBlock): string[] {
  return [block.name, block.context].filter((line) => line !== undefined);
}

function writeUrl(block: MediaBlock, url: string, writing: Writing): JsonObject {
  if (block.media !== "image")
    throw invalid(block.path, `${block.media} by URL cannot be sent to this model`);
  if (!writing.traits.imageUrls)
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
  writing: Writing,
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
      if (!writing.traits.audio) throw invalid(block.path, "audio cannot be sent to this model");
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
  return { type: "text", text: [...title, textOf(data)].join("\n") };
}
