/** What a provider can say about a request that reached it: whether it is well formed, and what it carries. */

export interface Inspection {
  /** What a strict provider would refuse, in words. */
  problems: string[];
  tools: OfferedTool[];
  /** Calls in the history, oldest first. */
  calls: PastCall[];
  /** Results in the history, oldest first; text parts joined. */
  results: PastResult[];
  /** Opaque reasoning state in the history, oldest first. */
  states: string[];
}

export interface OfferedTool {
  name: string;
  /** Where the format has namespaces. */
  namespace?: string;
  /** Freeform: the input is text. */
  custom: boolean;
  /** Names of the members of its input that must be there. */
  required: string[];
}

export interface PastCall {
  id: string;
  name: string;
}

export interface PastResult {
  id: string;
  text: string;
}

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in a member that should be a list of objects. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** An empty inspection, and `check`, which notes a problem when its condition does not hold. */
export function startInspection() {
  const inspection: Inspection = { problems: [], tools: [], calls: [], results: [], states: [] };
  const check = (condition: boolean, problem: string): void => {
    if (!condition) inspection.problems.push(problem);
  };
  return { inspection, check };
}

export type Check = ReturnType<typeof startInspection>["check"];

/** Only these members, in words for a problem. */
export function onlyMembers(
  value: JsonObject,
  known: readonly string[],
  note: { check: Check; where: string },
): void {
  const strange = Object.keys(value).filter((name) => !known.includes(name));
  note.check(strange.length === 0, `${note.where}: unknown members ${strange.join(", ")}`);
}

export const toolName = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool that takes JSON: name and schema as every provider wants them. */
export function offered(tool: { name: unknown; schema: unknown }, check: Check): OfferedTool {
  const name = text(tool.name);
  check(toolName.test(name), `tool name ${JSON.stringify(tool.name)}`);
  const schema = isObject(tool.schema) ? tool.schema : {};
  check(schema["type"] === "object", `tool ${name}: its schema is not an object's`);
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const members = isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  check(
    required.every((member) => members.includes(member)),
    `tool ${name}: requires what it does not have`,
  );
  return { name, custom: false, required };
}

/** Every name once. */
export function checkUnique(values: string[], check: Check, what: string): void {
  const twice = values.filter((value, index) => values.indexOf(value) !== index);
  check(twice.length === 0, `${what} twice: ${twice.join(", ")}`);
}
