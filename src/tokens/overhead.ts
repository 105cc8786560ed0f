/** What providers add to the text of a request, by format, and how they count images, documents and audio. */
import type { FormatName } from "../core/format-name.ts";
import type { PixelSize } from "./attachments.ts";

/** Tokens that a provider counts beside the text of a request. */
export interface TokenOverhead {
  readonly request: number;
  readonly message: number;
  readonly call: number;
  readonly result: number;
  /** Once, if there are tools: the provider's instructions for using them. */
  readonly toolList: number;
  /** In addition, if the model must call a tool. */
  readonly forcedCall: number;
  readonly tool: number;
  /** The definition of a tool that the provider runs, by what it does. */
  readonly hostedTool: Readonly<Record<"web_search" | "code_execution" | "other", number>>;
  /** Share of a schema's structure that is counted; names and descriptions are counted whole. */
  readonly structureShare: number;
  /** The schema of the output: a fixed number, and the share of the schema that is counted. */
  readonly outputSchema: { readonly fixed: number; readonly share: number };
  readonly opaqueReasoning: {
    /** Base64 characters around the reasoning itself. */
    readonly wrapperLength: number;
    /** Reasoning before the last ask is not shown to the model again. */
    readonly dropsEarlier: boolean;
  };
  readonly image: (size: PixelSize | undefined, detail: string | undefined) => number;
  readonly pdfPage: number;
  readonly audioSecond: number;
}

const openAi: TokenOverhead = {
  request: 3,
  message: 4,
  call: 4,
  result: 4,
  toolList: 10,
  forcedCall: 0,
  tool: 6,
  hostedTool: { web_search: 300, code_execution: 300, other: 100 },
  structureShare: 0.5,
  outputSchema: { fixed: 0, share: 1 },
  opaqueReasoning: { wrapperLength: 900, dropsEarlier: true },
  image: openAiImage,
  pdfPage: 600,
  audioSecond: 10,
};

/** The overhead by the format of the provider that counts. */
export const tokenOverheads: Readonly<Record<FormatName, TokenOverhead>> = {
  // Chat providers search before the model reads, so there is no tool definition.
  chat: { ...openAi, hostedTool: { ...openAi.hostedTool, web_search: 0 } },
  responses: openAi,
  messages: {
    request: 3,
    message: 4,
    call: 30,
    result: 25,
    toolList: 490,
    forcedCall: 90,
    tool: 10,
    hostedTool: { web_search: 2000, code_execution: 2000, other: 200 },
    structureShare: 1,
    outputSchema: { fixed: 120, share: 1 },
    opaqueReasoning: { wrapperLength: 280, dropsEarlier: false },
    image: anthropicImage,
    pdfPage: 2000,
    audioSecond: 10,
  },
  gemini: {
    request: 0,
    message: 0,
    call: 7,
    result: 10,
    toolList: 0,
    forcedCall: 0,
    tool: 14,
    hostedTool: { web_search: 0, code_execution: 0, other: 0 },
    structureShare: 0.5,
    outputSchema: { fixed: 0, share: 0 },
    opaqueReasoning: { wrapperLength: 80, dropsEarlier: false },
    image: geminiImage,
    pdfPage: 258,
    audioSecond: 32,
  },
};

/** Tiles of 512 pixels, after fitting the image into 2048 pixels and its shorter side into 768. */
function openAiImage(size: PixelSize | undefined, detail: string | undefined): number {
  if (detail === "low") return 85;
  if (size === undefined) return 765;
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const scale = Math.min(1, 2048 / long, 768 / short);
  return 85 + 170 * Math.ceil((long * scale) / 512) * Math.ceil((short * scale) / 512);
}

/** One token for 750 pixels, after fitting the longer side into 1568 pixels. */
function anthropicImage(size: PixelSize | undefined): number {
  if (size === undefined) return 1300;
  const scale = Math.min(1, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, 1 + (size.width * size.height * scale * scale) / 750);
}

/** Crops of 768 pixels; images up to half of that count as one. */
function geminiImage(size: PixelSize | undefined): number {
  if (size === undefined || Math.max(size.width, size.height) <= 384) return 258;
  return 258 * Math.min(8, Math.ceil(size.width / 768) * Math.ceil(size.height / 768));
}
