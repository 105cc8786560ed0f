/** Where the clients of each format write what a block or a tool carries beside its content, for reports. */
import type { ClientFormatName } from "../core/format-name.ts";
import type { MediaBlock } from "../core/request.ts";

interface ClientPaths {
  /** Of a file's name, under its part. */
  readonly fileName: string;
  /** Of an image's detail, under its part. */
  readonly imageDetail: string;
  /** Of the wish for strict arguments, under its tool. */
  readonly strict: string;
  /** Of the schema of its arguments, under its tool. */
  readonly schema: string;
  /** Of the opaque state of thinking, under its block; without one the block's own path names it. */
  readonly thinkingState?: string;
  /** The same for thinking that its provider hid. */
  readonly hiddenThinkingState?: string;
}

export const clientPaths: Readonly<Record<ClientFormatName, ClientPaths>> = {
  chat: {
    fileName: "file.filename",
    imageDetail: "image_url.detail",
    strict: "function.strict",
    schema: "function.parameters",
  },
  responses: {
    fileName: "filename",
    imageDetail: "detail",
    strict: "strict",
    schema: "parameters",
    thinkingState: "encrypted_content",
    hiddenThinkingState: "encrypted_content",
  },
  messages: {
    fileName: "title",
    imageDetail: "detail",
    strict: "strict",
    schema: "input_schema",
    thinkingState: "signature",
    hiddenThinkingState: "data",
  },
  gemini: {
    fileName: "inlineData.displayName",
    imageDetail: "mediaResolution",
    strict: "strict",
    schema: "parameters",
    thinkingState: "thoughtSignature",
  },
};

/** Where a client of the format wrote the name of a file. */
export function fileNamePath({ path, namePath }: MediaBlock, format: ClientFormatName): string {
  return namePath ?? `${path}.${clientPaths[format].fileName}`;
}

/** Where it wrote how closely to look at an image. */
export function imageDetailPath(
  { path, detailPath }: MediaBlock,
  format: ClientFormatName,
): string {
  return detailPath ?? `${path}.${clientPaths[format].imageDetail}`;
}
