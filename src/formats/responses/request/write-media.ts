/** Images, documents and sound as content parts of a Responses request. */
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { fileNamePath } from "../../../translation/client-paths.ts";
import { writeDataUrl } from "../../../translation/media.ts";
import type { WriteContext } from "../../../translation/write-context.ts";
import { audioFormat } from "./audio-formats.ts";

/** Writes the blocks of a document that is made of blocks. */
type WriteNested = (blocks: readonly Block[]) => JsonObject[];

/** Throws M300 for media that Responses or the model does not take. */
export function writeMedia(
  block: MediaBlock,
  nested: WriteNested,
  context: WriteContext,
): JsonObject[] {
  const { source } = block;
  if (block.context !== undefined) context.dropped.add(`${block.path}.context`);
  switch (source.type) {
    case "text":
      return [{ type: "input_text", text: titled(block.name, source.text) }];
    case "blocks": {
      const title = block.name === undefined ? [] : [{ type: "input_text", text: block.name }];
      return [...title, ...nested(source.blocks)];
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

/** File ids belong to one account of one provider. */
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
    context.dropped.add(fileNamePath(block, context.request.format));
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
