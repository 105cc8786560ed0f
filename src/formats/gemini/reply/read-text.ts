/** Reads text, thoughts and thought signatures of an answer: one block of text or thinking is open at a time. */
import type { OpaqueState } from "../../../core/request.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import { signatureState, signatureTypes, type SignedPart } from "../shared/thought-signature.ts";
import { openBlock, type ReplyState } from "./reply-state.ts";
import { textOffsets } from "./text-offsets.ts";

/** The thought signature of a part, in either spelling; undefined when it has none. */
export function signatureOf(part: JsonObject): string | undefined {
  const signature = asString(part["thoughtSignature"]) ?? asString(part["thought_signature"]);
  return signature === "" ? undefined : signature;
}

/** A part with text; `thought` tells thinking from text. */
export function readText(state: ReplyState, part: JsonObject, text: string): void {
  const signature = signatureOf(part);
  const isThought = part["thought"] === true;
  if (signature !== undefined && !isThought)
    addSignature(state, signature, text === "" ? "empty" : "text");
  if (text !== "") addText(state, isThought ? "thinking" : "text", text);
  if (signature !== undefined && isThought) addSignature(state, signature, "thought");
}

function addText(state: ReplyState, kind: "text" | "thinking", text: string): void {
  // A signed block is complete.
  if (state.openText?.kind !== kind || state.openText.signed) {
    closeText(state);
    const key = openBlock(state, { kind });
    const { lookups } = state;
    state.openText = { kind, key, text: "", offsets: textOffsets(), lookups, signed: false };
  }
  // Only citations need the whole text: passages are looked up in it.
  if (kind === "text") state.openText.text += text;
  state.events.push({ kind: "delta", key: state.openText.key, text });
}

/**
 * A signature after thoughts signs them, for clients that keep reasoning and its signature together. Inside a text it
 * waits until the text is complete, so that the text stays one block.
 */
export function addSignature(state: ReplyState, signature: string, place: SignedPart): void {
  const { openText } = state;
  const signed = signatureState(signature, place, state.context.origin);
  if (openText?.kind === "text") {
    state.waitingSignatures.push({ ...signed, type: signatureTypes.empty });
  } else if (openText && !openText.signed) {
    openText.signed = true;
    state.events.push({ kind: "state", key: openText.key, state: signed });
  } else {
    closeText(state);
    emitStateBlock(state, signed);
  }
}

/** A thinking block that holds nothing but state. */
export function emitStateBlock(state: ReplyState, blockState: OpaqueState): void {
  const key = openBlock(state, { kind: "thinking" });
  state.events.push({ kind: "state", key, state: blockState }, { kind: "close", key });
}

/** Closes the open text or thinking block and emits the signatures that waited for that. */
export function closeText(state: ReplyState): void {
  if (state.openText) state.events.push({ kind: "close", key: state.openText.key });
  delete state.openText;
  const signatures = state.waitingSignatures;
  state.waitingSignatures = [];
  for (const signature of signatures) emitStateBlock(state, signature);
}
