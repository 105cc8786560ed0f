/** Reads the function calls of an answer. */
import { newId } from "../../../lib/ids.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { unwrapFreeform } from "../../../translation/freeform.ts";
import { signatureState } from "../shared/thought-signature.ts";
import { partialArguments } from "./partial-arguments.ts";
import { closeText } from "./read-text.ts";
import { openBlock, type ReplyState } from "./reply-state.ts";

/** A call comes whole, or in pieces: the first has its name, the last is the first that does not continue. */
export function readCallPart(
  state: ReplyState,
  call: JsonObject,
  signature: string | undefined,
): void {
  const name = asString(call["name"]);
  if (name) {
    closeCall(state);
    openCall(state, name, asString(call["id"]));
  }
  const current = state.partialCall;
  if (!current) return;
  if (signature !== undefined) {
    const signed = signatureState(signature, "call", state.context.origin);
    state.events.push({ kind: "state", key: current.key, state: signed });
  }
  const args = asObject(call["args"]);
  if (args) addMembers((current.whole ??= {}), args);
  for (const piece of asArray(call["partialArgs"])) if (isObject(piece)) current.pieces.add(piece);
  if (call["willContinue"] !== true) closeCall(state);
}

function addMembers(whole: JsonObject, args: JsonObject): void {
  for (const [name, value] of Object.entries(args))
    if (value !== undefined) putMember(whole, name, value);
}

function openCall(state: ReplyState, wireName: string, id: string | undefined): void {
  closeText(state);
  const { name, namespace, call } = state.context.names.fromWire(wireName);
  const key = openBlock(state, {
    kind: "call",
    id: uniqueId(state, id),
    name,
    ...(namespace !== undefined && { namespace }),
    call,
  });
  state.partialCall = { key, custom: call === "custom", pieces: partialArguments() };
}

/** Emits the arguments of the call that is still open, if there is one, and closes it. */
export function closeCall(state: ReplyState): void {
  const { partialCall } = state;
  if (!partialCall) return;
  delete state.partialCall;
  const { key, custom, pieces, whole } = partialCall;
  const json = JSON.stringify({ ...pieces.value(), ...whole });
  state.events.push(
    { kind: "delta", key, text: custom ? unwrapFreeform(json) : json },
    { kind: "close", key },
  );
}

/** The provider's id if it is free; else one made of the answer's id, so that it is the same however the stream was cut. */
function uniqueId(state: ReplyState, id: string | undefined): string {
  let unique = id && !state.callIds.has(id) ? id : madeId(state);
  while (state.callIds.has(unique)) unique = newId("call_");
  state.callIds.add(unique);
  return unique;
}

function madeId({ id, callIds }: ReplyState): string {
  const stem = (id ?? "").replaceAll(/[^A-Za-z0-9_-]/g, "").slice(0, 26);
  return stem === "" ? newId("call_") : `call_${stem}_${callIds.size}`;
}
