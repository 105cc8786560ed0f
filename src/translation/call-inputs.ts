/** Inputs of tool calls: what a model or a client wrote there arrives digit for digit. */
import { exactly, TooManyIntegers } from "../lib/exact.ts";
import { jsonSize } from "../lib/json-size.ts";
import { deepestJson, isObject, parseJson, type JsonObject, type JsonValue } from "../lib/json.ts";
import { invalid } from "../core/problem.ts";
import type { ModelRequest } from "../core/request.ts";

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

/** In the inputs of all calls of a request, which some formats want as objects: twenty values for each of 10,000 calls. */
const mostValues = 200_000;
/** Characters up to which they hold fewer in any case. */
const shortInputs = 128 * 1024;

/** Throws M300 where the inputs of all calls hold too many JSON values: in the body they are texts, which nobody counts. */
export function checkInputs({ messages }: ModelRequest): void {
  const inputs: string[] = [];
  let length = 0;
  for (const { blocks } of messages)
    for (const block of blocks)
      if (block.kind === "call" && block.call === "function") {
        inputs.push(block.input);
        length += block.input.length;
      }
  if (length <= shortInputs) return;
  let values = 0;
  for (const input of inputs) {
    // One that is nested too deep stays a text.
    const size = jsonSize(input, {
      depth: deepestJson,
      values: mostValues,
      names: mostValues,
      members: mostValues,
    });
    values += size.over?.bound === "depth" ? 0 : size.values;
    if (values > mostValues)
      throw invalid(
        "messages",
        `the arguments of all calls hold more than ${mostValues.toLocaleString("en-US")} JSON values`,
      );
  }
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

/** Arguments as the object that some formats want; what is none, or nested too deep, is kept inside one as its text. */
export function inputObject(text: string): JsonObject {
  if (!/\S/.test(text)) return {};
  const value = parseJson(text);
  if (value === undefined) return { _raw: text };
  try {
    return isObject(value) ? exactly(value, text) : { value: exactly(value, text) };
  } catch (error) {
    if (error instanceof TooManyIntegers) return { _raw: text };
    throw error;
  }
}
