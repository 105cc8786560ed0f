/** Text, thoughts and thought signatures of an answer. */
import type { OpaqueState } from "../../core/request.ts";
import { asString, type JsonObject } from "../../lib/json.ts";
import { openBlock, type Answer } from "./answer-state.ts";
import { signatureState, signatureTypes, type SignedPart } from "./thought-signature.ts";

export function signatureOf(part: JsonObject): string | undefined {
  const signature = asString(part["thoughtSignature"]) ?? asString(part["thought_signature"]);
  return signature === "" ? undefined : signature;
}

export function readText(answer: Answer, part: JsonObject, text: string): void {
  const signature = signatureOf(part);
  const thought = part["thought"] === true;
  if (signature !== undefined && !thought)
    placeSignature(answer, signature, text === "" ? "empty" : "text");
  if (text !== "") say(answer, thought ? "thinking" : "text", text);
  if (signature !== undefined && thought) placeSignature(answer, signature, "thought");
}

function say(answer: Answer, kind: "text" | "thinking", text: string): void {
  // What is signed is complete.
  if (answer.open?.kind !== kind || answer.open.signed) {
    closeText(answer);
    answer.open = { kind, key: openBlock(answer, { kind }), text: "", signed: false };
  }
  // Only citations look back at the text: passages are found in it.
  if (kind === "text") answer.open.text += text;
  answer.out.push({ kind: "delta", key: answer.open.key, text });
}

/**
 * Behind thoughts a signature signs them, for clients that keep reasoning and its proof together; inside a text it
 * waits until the text is over, so that the text stays one block.
 */
export function placeSignature(answer: Answer, signature: string, place: SignedPart): void {
  const { open } = answer;
  const state = signatureState(signature, place, answer.context.origin);
  if (open?.kind === "text") {
    answer.held.push({ ...state, type: signatureTypes.empty });
  } else if (open && !open.signed) {
    open.signed = true;
    answer.out.push({ kind: "state", key: open.key, state });
  } else {
    closeText(answer);
    stateBlock(answer, state);
  }
}

export function stateBlock(answer: Answer, state: OpaqueState): void {
  const key = openBlock(answer, { kind: "thinking" });
  answer.out.push({ kind: "state", key, state }, { kind: "close", key });
}

export function closeText(answer: Answer): void {
  if (answer.open) answer.out.push({ kind: "close", key: answer.open.key });
  delete answer.open;
  const { held } = answer;
  answer.held = [];
  for (const state of held) stateBlock(answer, state);
}
