/** Images and documents as content blocks; what Messages cannot take is refused by name, never left out in silence. */
import type { JsonObject } from "../../../lib/json.ts";
import { fileNamePath, imageDetailPath } from "../../../translation/client-paths.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import { withCacheMark, type MessagesWriteContext } from "./write-cache-marks.ts";

/** First characters of a PDF in base64. */
const pdfMagic = "JVBERi0";

/** Writes the blocks of a document that is made of blocks. */
type WriteNested = (blocks: readonly Block[]) => JsonObject[];

export function writeMedia(
  block: MediaBlock,
  nested: WriteNested,
  context: MessagesWriteContext,
): JsonObject[] {
  if (block.media === "audio" || block.media === "video")
    throw invalid(block.path, `this provider takes no ${block.media}`);
  if (block.source.type === "file")
    throw invalid(block.path, "a file id is known only to the provider that gave it");
  if (block.detail !== undefined)
    context.dropped.add(imageDetailPath(block, context.request.format));
  const pdf = block.source.type === "bytes" && isPdf(block.source);
  const isImage = block.media === "image" && !pdf;
  if (isImage && block.name !== undefined)
    context.dropped.add(fileNamePath(block, context.request.format));
  const written = isImage ? image(block, context) : document(block, nested);
  return [withCacheMark(written, block.cache, context)];
}

function isPdf(source: { mime: string; data: string }): boolean {
  return source.mime === "application/pdf" || source.data.startsWith(pdfMagic);
}

function image(block: MediaBlock, context: MessagesWriteContext): JsonObject {
  const { source } = block;
  switch (source.type) {
    case "url":
      if (!context.target.traits.imageUrls)
        throw invalid(block.path, "this provider takes images only as data");
      return { type: "image", source: { type: "url", url: source.url } };
    case "bytes": {
      const mime = source.mime === "image/jpg" ? "image/jpeg" : source.mime;
      return { type: "image", source: { type: "base64", media_type: mime, data: source.data } };
    }
    default:
      throw invalid(block.path, "an image needs a URL or its data");
  }
}

function document(block: MediaBlock, nested: WriteNested): JsonObject {
  return {
    type: "document",
    source: documentSource(block, nested),
    ...(block.name !== undefined && block.name !== "" && { title: block.name }),
    ...(block.context !== undefined && { context: block.context }),
  };
}

function documentSource(block: MediaBlock, nested: WriteNested): JsonObject {
  const { source } = block;
  switch (source.type) {
    case "text":
      return plainText(source.text);
    case "blocks":
      return { type: "content", content: nested(source.blocks) };
    case "url":
      return { type: "url", url: source.url };
    case "bytes": {
      if (isPdf(source))
        return { type: "base64", media_type: "application/pdf", data: source.data };
      const text = isTextual(source.mime) ? decoded(source.data) : undefined;
      if (text === undefined)
        throw invalid(block.path, `this provider takes no documents of type ${source.mime}`);
      return plainText(text);
    }
    case "file":
      throw invalid(block.path, "a file id is known only to the provider that gave it");
    default:
      return source satisfies never;
  }
}

function plainText(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

function isTextual(mime: string): boolean {
  return /^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-sh|sql|csv)\b/i.test(mime);
}

/** Base64 of UTF-8 text; undefined when it is neither. */
function decoded(data: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}
