/** Blocks -> content parts of messages and of tool outputs. */
import { invalid } from "../../../core/problem.ts";
import type { Block, Citation, MediaBlock, TextBlock } from "../../../core/request.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { nameMembers, writeDataUrl } from "../../../translation/media.ts";
import { audioFormat } from "./audio-formats.ts";
import { noteUnknownMembers, isSet } from "../../../translation/unsupported.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import { writeAnnotation } from "../citations.ts";

/** Parts that a user, an instruction or a tool output may hold; what has no part is listed or refused. */
export function inputParts(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return blocks.flatMap((block) => inputPart(block, context));
}

function inputPart(block: Block, context: WriteContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      noteCache(block, context);
      // Only the model's own words cite.
      if (block.citationsPath !== undefined) context.dropped.add(block.citationsPath);
      return [{ type: "input_text", text: block.text }];
    case "media":
      noteCache(block, context);
      return mediaParts(block, context);
    case "reference":
      return [{ type: "input_text", text: `Loaded tools: ${block.tool}` }];
    case "refusal":
      return [{ type: "input_text", text: block.text }];
    case "opaque": {
      const text = opaqueText(block, context);
      return text === undefined ? [] : [{ type: "input_text", text }];
    }
    case "thinking":
      context.dropped.add(block.path);
      return [];
    case "call":
    case "result":
      return [];
    default:
      return block satisfies never;
  }
}

/** A part of the model's own message. */
export function outputText(block: TextBlock, context: WriteContext): JsonObject {
  noteCache(block, context);
  const annotations = (block.citations ?? []).flatMap((citation) => {
    noteCitation(citation, block, context);
    const annotation = writeAnnotation(citation, block.text.length);
    return annotation ? [annotation] : [];
  });
  return { type: "output_text", text: block.text, annotations };
}

const citedMembers = new Set(["type", "url", "source", "title"]);

/** Of another dialect's source this one says the address and the title. */
function noteCitation(citation: Citation, block: TextBlock, context: WriteContext): void {
  const { citationsPath: path } = block;
  if (path === undefined || citation.raw?.format === "responses") return;
  if (citation.url === undefined) context.dropped.add(path);
  else
    noteUnknownMembers(asObject(citation.raw?.value), citedMembers, {
      path: `${path}[]`,
      unsupported: context.dropped,
    });
}

export function noteCache(block: { cache?: { path: string } }, context: WriteContext): void {
  if (block.cache) context.dropped.add(block.cache.path);
}

/** What a block of another dialect says in words; refused when it says something that must not be lost. */
export function opaqueText(
  block: Extract<Block, { kind: "opaque" }>,
  context: WriteContext,
): string | undefined {
  context.dropped.add(block.path);
  if (block.weight === "auxiliary") return undefined;
  if (!isSet(block.text))
    throw invalid(block.path, `a ${block.type} block has no counterpart at this model's provider`);
  return block.text;
}

function mediaParts(block: MediaBlock, context: WriteContext): JsonObject[] {
  const { source } = block;
  if (block.context !== undefined) context.dropped.add(`${block.path}.context`);
  switch (source.type) {
    case "text":
      return [{ type: "input_text", text: titled(block.name, source.text) }];
    case "blocks": {
      const title = block.name === undefined ? [] : [{ type: "input_text", text: block.name }];
      return [...title, ...inputParts(source.blocks, context)];
    }
    case "file":
      return [ownFile(block, source.id, context)];
    case "bytes":
    case "url":
      return [mediaPart(block, source, context)];
    default:
      return source satisfies never;
  }
}

function titled(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}\n${text}`;
}

/** File ids belong to one account of one dialect. */
function ownFile(block: MediaBlock, id: string, context: WriteContext): JsonObject {
  if (context.request.format !== "responses")
    throw invalid(
      block.path,
      "a file id of another provider cannot be used here; send the file itself",
    );
  return block.media === "image"
    ? { type: "input_image", file_id: id, detail: block.detail ?? "auto" }
    : { type: "input_file", file_id: id };
}

type Sent = Extract<MediaBlock["source"], { type: "bytes" | "url" }>;

function mediaPart(block: MediaBlock, source: Sent, context: WriteContext): JsonObject {
  // Only files that are sent themselves have names.
  if (block.name !== undefined && (block.media !== "document" || source.type === "url"))
    context.dropped.add(`${block.path}.${nameMembers[context.request.format]}`);
  switch (block.media) {
    case "image": {
      if (source.type === "url" && !context.target.traits.imageUrls)
        throw invalid(block.path, "this model takes no images by URL; send the image itself");
      const url = source.type === "url" ? source.url : writeDataUrl(source);
      return { type: "input_image", image_url: url, detail: block.detail ?? "auto" };
    }
    case "document":
      return documentPart(block, source);
    case "audio":
      return audioPart(block, source, context);
    case "video":
      throw invalid(block.path, "this model's provider takes no video");
    default:
      return block.media satisfies never;
  }
}

function documentPart(block: MediaBlock, source: Sent): JsonObject {
  if (source.type === "url") return { type: "input_file", file_url: source.url };
  const name = block.name ?? (source.mime === "application/pdf" ? "document.pdf" : "document");
  return { type: "input_file", filename: name, file_data: writeDataUrl(source) };
}

function audioPart(block: MediaBlock, source: Sent, context: WriteContext): JsonObject {
  const format = source.type === "bytes" ? audioFormat(source.mime) : undefined;
  if (source.type !== "bytes" || format === undefined || !context.target.traits.audio)
    throw invalid(block.path, "this model's provider takes no such audio");
  return { type: "input_audio", input_audio: { data: source.data, format } };
}
