/** What providers put round the words of a request, by the dialect that they read, and how they count pictures. */
import type { PixelSize } from "./attachments.ts";
import type { FormatName } from "../core/format-name.ts";

/** What stands round the words of a request, in tokens. Providers put different things there. */
export interface Frame {
  request: number;
  message: number;
  call: number;
  result: number;
  /** Once, if there are tools: what the provider says about using them. */
  toolList: number;
  /** On top, if the model must call one. */
  forcedCall: number;
  tool: number;
  /** The definition of a tool that the provider runs itself, by what it does. */
  hosted: { web_search: number; code_execution: number; other: number };
  /** How much of a schema's structure the model is shown; names and descriptions it sees whole. */
  structure: number;
  /** What a demanded answer's schema costs: once, and how much of it. */
  answer: { once: number; share: number };
  /** Characters of base64 that wrap carried reasoning, and whether that of earlier questions is left out. */
  sealed: { wrapping: number; forgets: boolean };
  image: (size: PixelSize | undefined, detail: string | undefined) => number;
  /** A page of a PDF. */
  page: number;
  /** A second of sound. */
  second: number;
}

const openAi: Frame = {
  request: 3,
  message: 4,
  call: 4,
  result: 4,
  toolList: 10,
  forcedCall: 0,
  tool: 6,
  hosted: { web_search: 300, code_execution: 300, other: 100 },
  structure: 0.5,
  answer: { once: 0, share: 1 },
  sealed: { wrapping: 900, forgets: true },
  image: tiles,
  page: 600,
  second: 10,
};

/** By the dialect that the provider reads. */
export const frames: Record<FormatName, Frame> = {
  // Chat servers search before the model reads: there is no tool to define.
  chat: { ...openAi, hosted: { ...openAi.hosted, web_search: 0 } },
  responses: openAi,
  messages: {
    request: 3,
    message: 4,
    call: 30,
    result: 25,
    toolList: 490,
    forcedCall: 90,
    tool: 10,
    hosted: { web_search: 2000, code_execution: 2000, other: 200 },
    structure: 1,
    answer: { once: 120, share: 1 },
    sealed: { wrapping: 280, forgets: false },
    image: area,
    page: 2000,
    second: 10,
  },
  gemini: {
    request: 0,
    message: 0,
    call: 7,
    result: 10,
    toolList: 0,
    forcedCall: 0,
    tool: 14,
    hosted: { web_search: 0, code_execution: 0, other: 0 },
    structure: 0.5,
    answer: { once: 0, share: 0 },
    sealed: { wrapping: 80, forgets: false },
    image: crops,
    page: 258,
    second: 32,
  },
};

/** Squares of 512 pixels in a picture that was fitted to 2048 and its shorter side to 768. */
function tiles(size: PixelSize | undefined, detail: string | undefined): number {
  if (detail === "low") return 85;
  if (size === undefined) return 765;
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const scale = Math.min(1, 2048 / long, 768 / short);
  return 85 + 170 * Math.ceil((long * scale) / 512) * Math.ceil((short * scale) / 512);
}

/** A token for 750 pixels of a picture that was fitted to 1568. */
function area(size: PixelSize | undefined): number {
  if (size === undefined) return 1300;
  const scale = Math.min(1, 1568 / Math.max(size.width, size.height));
  return Math.min(1600, 1 + (size.width * size.height * scale * scale) / 750);
}

/** Crops of 768 pixels; what is smaller than half of one is not cut. */
function crops(size: PixelSize | undefined): number {
  if (size === undefined || Math.max(size.width, size.height) <= 384) return 258;
  return 258 * Math.min(8, Math.ceil(size.width / 768) * Math.ceil(size.height / 768));
}
