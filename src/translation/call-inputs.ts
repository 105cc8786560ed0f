/** Inputs of tool calls: what a model or a client wrote there arrives digit for digit. */
import { exactly } from "../lib/exact.ts";
import { isObject, parseJson, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Members that lead to calls, in requests, answers and events of every format. */
const membersOnTheWay = [
  "messages",
  "content",
  "content_block",
  "tool_calls",
  "function",
  "function_call",
  "input",
  "output",
  "item",
  "response",
  "choices",
  "message",
  "delta",
  "candidates",
  "contents",
  "parts",
];

/** The value of a JSON text, in whose calls integers of any length are exact. */
export function parseWithCalls(text: string): JsonValue | undefined {
  const value = parseJson(text);
  if (value !== undefined) keepCalls(value, text);
  return value;
}

/** Makes the integers exact, in place, in the calls of what `text` was parsed to. */
export function keepCalls(value: JsonValue, text: string): void {
  const exact = exactly(value, text);
  if (exact !== value) takeInputs(value, exact);
}

/** Levels above a call, at most. */
const deepestCall = 32;

/** Puts the inputs of the calls in `exact` into `value`, another reading of the same text. */
export function takeInputs(
  value: JsonValue | undefined,
  exact: JsonValue | undefined,
  levels = deepestCall,
): void {
  if (levels === 0) return;
  if (Array.isArray(value) && Array.isArray(exact)) {
    value.forEach((item, index) => takeInputs(item, exact[index], levels - 1));
  } else if (isObject(value) && isObject(exact)) {
    for (const name of inputsOf(value)) value[name] = exact[name];
    for (const name of membersOnTheWay) takeInputs(value[name], exact[name], levels - 1);
  }
}

/** Which members of an object are a call's input, or what came of it. Bare values stay what they are. */
function inputsOf(holder: JsonObject): string[] {
  const type = String(holder["type"]);
  const names = [];
  if (type.endsWith("_use") || type.endsWith("_call")) names.push("input", "action", "operation");
  if (type.endsWith("_call") || typeof holder["name"] === "string") names.push("arguments");
  if (type.endsWith("_output")) names.push("output");
  names.push("functionCall", "function_call", "functionResponse", "function_response");
  return names.filter((name) => typeof holder[name] === "object" && holder[name] !== null);
}

/** Arguments as the object that some formats want; anything else is kept inside one. */
export function inputObject(text: string): JsonObject {
  if (!/\S/.test(text)) return {};
  const value = parseJson(text);
  if (value === undefined) return { _raw: text };
  return isObject(value) ? exactly(value, text) : { value: exactly(value, text) };
}
