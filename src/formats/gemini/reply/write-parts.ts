/** The parts of an answer, and what whole and streamed answers have in common. */
import type { OpenCall, ReplyMedia } from "../../../core/events.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import { asObject, type JsonObject } from "../../../lib/json.ts";
import { inputObject } from "../../../translation/call-inputs.ts";
import { wrapFreeform } from "../../../translation/freeform.ts";
import { type CarriedState, writeSignature } from "../shared/carried-states.ts";

/** A call with its whole input. */
export function callPart({ name, call }: OpenCall, id: string, input: string): JsonObject {
  const args = inputObject(call === "custom" ? wrapFreeform(input) : input);
  return { functionCall: { id, name, args } };
}

/** Media that the model made. */
export function mediaPart({ mime, data }: ReplyMedia): JsonObject {
  return { inlineData: { mimeType: mime, data } };
}

/**
 * The part with the states that it carries, if there are any. Google's own goes to its clients as it is; beside it
 * nothing else can be carried.
 */
export function signedPart(part: JsonObject, states: readonly CarriedState[]): JsonObject {
  if (states.length === 0) return part;
  const own = states.find(({ state }) => state.format === "gemini");
  return { ...part, thoughtSignature: own?.state.data ?? writeSignature(states) };
}

/** Whether the client asked to see thoughts. */
export function showsThoughts({ request }: ReplyEcho): boolean {
  const config = settingsOf(request);
  const thinking = asObject(config?.["thinkingConfig"] ?? config?.["thinking_config"]);
  return (thinking?.["includeThoughts"] ?? thinking?.["include_thoughts"]) === true;
}

/** Whether the client asked for one word of an enumeration. */
export function wantsWord({ request }: ReplyEcho): boolean {
  const config = settingsOf(request);
  return (config?.["responseMimeType"] ?? config?.["response_mime_type"]) === "text/x.enum";
}

function settingsOf(request: JsonObject): JsonObject | undefined {
  return asObject(request["generationConfig"] ?? request["generation_config"]);
}

/** Members of every chunk and of a whole answer. The model is the one that answered: clients count by it. */
export function answerHead(
  { id, model }: { id?: string; model?: string },
  echo: ReplyEcho,
): JsonObject {
  return {
    modelVersion: model ?? echo.answeredBy ?? echo.model,
    responseId: id ?? echo.newId("resp_"),
  };
}
