/** A generateContent request -> the neutral request. */
import type { RequestAddress } from "../../../core/format.ts";
import type { MediaBlock, Message, ModelRequest } from "../../../core/request.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import { droppedPaths } from "../../../translation/dropped-paths.ts";
import { parameterMembers } from "../../../translation/parameters.ts";
import { checkRequest, modelOf } from "./check.ts";
import { isStreamed } from "./describe.ts";
import { detailOf } from "./read-media.ts";
import { asList, membersOf, type Members } from "./read-members.ts";
import { readMessages } from "./read-messages.ts";
import { readOutputShape, shapeMembers } from "./read-output-shape.ts";
import { readReasoning } from "./read-reasoning.ts";
import { readSettings } from "./read-settings.ts";
import { readToolChoice } from "./read-tool-choice.ts";
import { readTools } from "./read-tools.ts";

const bodyMembers: ReadonlySet<string> = new Set([
  ...parameterMembers("gemini"),
  "model",
  "stream",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "cachedContent",
]);

const configMembers: ReadonlySet<string> = new Set([
  ...parameterMembers("gemini", "generationConfig"),
  ...shapeMembers,
  "candidateCount",
  "maxOutputTokens",
  "stopSequences",
  "thinkingConfig",
  "responseModalities",
  "mediaResolution",
]);

/** Throws M300 for what is no generateContent request. */
export function readRequest(body: JsonObject, address?: RequestAddress): ModelRequest {
  checkRequest(body, address);
  const unsupported = droppedPaths();
  const request = membersOf(body, { path: "", unsupported });
  const config = request.inside("generationConfig");
  request.noteOthers(bodyMembers);
  config?.noteOthers(configMembers);
  const messages = withDetail(readMessages(request, unsupported), config, unsupported);
  const { sampling, settings, paths, maxOutput } = readSettings(request, config);
  const { choice, path: choicePath } = readToolChoice(request);
  const { output, path: outputPath } = readOutputShape(config, unsupported);
  const { reasoning, paths: reasoningPaths } = readReasoning(config);
  const geminiOnly = onlyGemini(request, config, unsupported);
  return {
    format: "gemini",
    model: asString(modelOf(body, address)) ?? "",
    stream: isStreamed(body, address),
    wantsUsage: true,
    messages,
    tools: readTools(request),
    ...(choice && { choice }),
    ...(maxOutput !== undefined && { maxOutput }),
    stop: stopsOf(config),
    sampling,
    ...settings,
    ...(reasoning && { reasoning }),
    ...(output && { output }),
    ...(geminiOnly.length > 0 && { geminiOnly }),
    unsupported: [...unsupported],
    paths: {
      ...paths,
      ...reasoningPaths,
      ...(choicePath !== undefined && { choice: choicePath }),
      ...(outputPath !== undefined && { output: outputPath }),
      ...(config && {
        maxOutput: config.pathOf("maxOutputTokens"),
        stop: config.pathOf("stopSequences"),
      }),
    },
    openaiOnly: {},
  };
}

function stopsOf(config: Members | undefined): string[] {
  return asList(config?.get("stopSequences")).filter((text) => typeof text === "string");
}

/** What the client refers to lies at Google; an answer that is no text cannot be translated. */
function onlyGemini(
  request: Members,
  config: Members | undefined,
  unsupported: Set<string>,
): string[] {
  const paths: string[] = [];
  const cached = request.get("cachedContent");
  if (cached !== undefined && cached !== "") paths.push(request.pathOf("cachedContent"));
  const modalities = asList(config?.get("responseModalities")).map((word) =>
    String(word).toUpperCase(),
  );
  const others = modalities.filter((word) => word !== "TEXT" && !word.endsWith("UNSPECIFIED"));
  if (!config || others.length === 0) return paths;
  const path = config.pathOf("responseModalities");
  if (modalities.includes("TEXT")) unsupported.add(path);
  else paths.push(path);
  return paths;
}

/** How closely to look at images that do not say so themselves. */
function withDetail(
  messages: Message[],
  config: Members | undefined,
  unsupported: Set<string>,
): Message[] {
  const word = asString(config?.get("mediaResolution"));
  if (!config || word === undefined) return messages;
  const { detail, isUnderstood } = detailOf(word);
  const images = messages.flatMap((message) => message.blocks.filter(isImage));
  if (!isUnderstood || (images.length === 0 && detail !== undefined))
    unsupported.add(config.pathOf("mediaResolution"));
  const path = config.pathOf("mediaResolution");
  for (const image of images)
    if (detail !== undefined && image.detail === undefined)
      Object.assign(image, { detail, detailPath: path });
  return messages;
}

function isImage(block: Message["blocks"][number]): block is MediaBlock {
  return block.kind === "media" && block.media === "image";
}
