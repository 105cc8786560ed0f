/** Images, documents, sound and film as Gemini's parts. */
import { fileNamePath, imageDetailPath } from "../../../translation/client-paths.ts";
import { invalid } from "../../../core/problem.ts";
import type { Block, MediaBlock } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { noteMarks, type WriteContext } from "../../../translation/write-context.ts";

const types: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  html: "text/html",
  csv: "text/csv",
  mp3: "audio/mp3",
  wav: "audio/wav",
  ogg: "audio/ogg",
  flac: "audio/flac",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

/** The parts of a media block; Problem M300 where the model could not see what the client means. */
export function writeMedia(block: MediaBlock, context: WriteContext): JsonObject[] {
  noteMarks(block, context);
  noteDetails(block, context);
  const { source } = block;
  if (block.media === "audio" && !context.target.traits.audio) {
    throw invalid(block.path, "this model takes no audio");
  }
  switch (source.type) {
    case "bytes":
      return described(block, { inlineData: { mimeType: source.mime, data: source.data } });
    case "url":
      return described(block, { fileData: fileData(block, source, context) });
    case "file":
      throw invalid(
        block.path,
        "a file id of another service cannot be sent to this provider; send the file's bytes",
      );
    case "text":
      return [{ text: titled(block, source.text) }];
    case "blocks":
      return [
        { text: titled(block, wordsOf(source.blocks)) },
        ...innerMedia(source.blocks, context),
      ];
    default:
      return source satisfies never;
  }
}

/** How closely to look and what a file is called have no words here; a document in words carries its title. */
function noteDetails(block: MediaBlock, context: WriteContext): void {
  const { format } = context.request;
  if (block.detail !== undefined && block.detail !== "auto") {
    context.dropped.add(imageDetailPath(block, format));
  }
  if (block.name === undefined || isWords(block) || block.context !== undefined) return;
  context.dropped.add(fileNamePath(block, format));
}

/** Context that the client gave about a document stands before it, in words. */
function described(block: MediaBlock, part: JsonObject): JsonObject[] {
  if (block.context === undefined || block.context === "") return [part];
  return [{ text: [block.name, block.context].filter(Boolean).join("\n") }, part];
}

function titled(block: MediaBlock, text: string): string {
  return [block.name, block.context, text].filter(Boolean).join("\n");
}

function fileData(
  block: MediaBlock,
  source: { url: string; mime?: string },
  context: WriteContext,
): JsonObject {
  if (!context.target.traits.imageUrls && !isGoogleFile(source.url)) {
    throw invalid(block.path, "this model takes no media by URL; send the bytes");
  }
  const mimeType = source.mime ?? typeOf(source.url);
  return { ...(mimeType !== undefined && { mimeType }), fileUri: source.url };
}

/** Files that Gemini reaches whatever the model. */
function isGoogleFile(url: string): boolean {
  return /^(?:gs:\/\/|https:\/\/(?:generativelanguage\.googleapis\.com|www\.youtube\.com|youtube\.com|youtu\.be)\/)/.test(
    url,
  );
}

function typeOf(url: string): string | undefined {
  const extension = /\.([A-Za-z0-9]{2,5})(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(types, extension) ? types[extension] : undefined;
}

function innerMedia(blocks: readonly Block[], context: WriteContext): JsonObject[] {
  return blocks.flatMap((block) =>
    block.kind === "media" && !isWords(block) ? writeMedia(block, context) : [],
  );
}

/** Whether a media block is text in the guise of a document. */
export function isWords(block: MediaBlock): boolean {
  return block.source.type === "text" || block.source.type === "blocks";
}

/** What blocks say in words, a line each. */
export function wordsOf(blocks: readonly Block[]): string {
  const words = blocks.map(blockWords).filter((text) => text !== undefined);
  const loaded = blocks.flatMap((block) => (block.kind === "reference" ? [block.tool] : []));
  if (loaded.length > 0) words.push(`Loaded tools: ${loaded.join(", ")}`);
  return words.join("\n");
}

function blockWords(block: Block): string | undefined {
  switch (block.kind) {
    case "text":
    case "refusal":
      return block.text;
    case "opaque":
      return block.text;
    case "media":
      if (block.source.type === "text") return titled(block, block.source.text);
      return block.source.type === "blocks"
        ? titled(block, wordsOf(block.source.blocks))
        : undefined;
    case "thinking":
    case "call":
    case "result":
    case "reference":
      return undefined;
    default:
      return block satisfies never;
  }
}
