/** Function calls of an answer. */
import { unwrapFreeform } from "../../translation/freeform.ts";
import { newId } from "../../lib/ids.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../lib/json.ts";
import { openBlock, type Answer } from "./answer-state.ts";
import { closeText } from "./answer-text.ts";
import { partialArgs } from "./partial-args.ts";
import { signatureState } from "./thought-signature.ts";

/** A call comes whole, or opens with its name, goes on in pieces and ends with the first piece that does not continue. */
export function readCall(answer: Answer, call: JsonObject, signature: string | undefined): void {
  const name = asString(call["name"]);
  if (name) {
    closeCall(answer);
    openCall(answer, name, asString(call["id"]));
  }
  const current = answer.call;
  if (!current) return;
  if (signature !== undefined) {
    const state = signatureState(signature, "call", answer.context.origin);
    answer.out.push({ kind: "state", key: current.key, state });
  }
  const args = asObject(call["args"]);
  if (args) current.whole = { ...current.whole, ...args };
  for (const piece of asArray(call["partialArgs"])) if (isObject(piece)) current.pieces.add(piece);
  if (call["willContinue"] !== true) closeCall(answer);
}

function openCall(answer: Answer, wire: string, id: string | undefined): void {
  closeText(answer);
  const { name, namespace, call } = answer.context.names.fromWire(wire);
  const key = openBlock(answer, {
    kind: "call",
    id: callId(answer, id),
    name,
    ...(namespace !== undefined && { namespace }),
    call,
  });
  answer.call = { key, custom: call === "custom", pieces: partialArgs() };
}

export function closeCall(answer: Answer): void {
  const { call } = answer;
  if (!call) return;
  delete answer.call;
  const json = JSON.stringify({ ...call.pieces.value(), ...call.whole });
  answer.out.push({
    kind: "delta",
    key: call.key,
    text: call.custom ? unwrapFreeform(json) : json,
  });
  answer.out.push({ kind: "close", key: call.key });
}

/** The provider's id if it is free; else one made of the answer's own id, so that it is the same however it was cut. */
function callId(answer: Answer, id: string | undefined): string {
  const made = (): string => {
    const stem = (answer.id ?? "").replaceAll(/[^A-Za-z0-9_-]/g, "").slice(0, 26);
    return stem === "" ? newId("call_") : `call_${stem}_${answer.calls.size}`;
  };
  let unique = id && !answer.calls.has(id) ? id : made();
  while (answer.calls.has(unique)) unique = newId("call_");
  answer.calls.add(unique);
  return unique;
}
