/**
 * Tools that the client runs itself but that Responses gives item types of their own (`local_shell`, `shell`,
 * `apply_patch`, `tool_search` with client execution). Models of other formats are offered a function of the
 * same meaning; its calls go back to the client under the tool's own type. Which of them were offered is read from
 * the request alone, so nothing has to be remembered between request and answer.
 */
import { exactly } from "../../../lib/exact.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  isObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";

interface ClientTool {
  /** Type of the call item. */
  item: string;
  /** Prefix of item ids. */
  prefix: string;
  description: string;
  schema: JsonObject;
  /** Whether the declared tool is run by the client. */
  isLocal(tool: JsonObject): boolean;
  /** Members of the call item that say what to do. */
  write(input: JsonObject): JsonObject;
  /** The function's arguments that such an item stands for. */
  read(item: JsonObject): JsonValue | undefined;
}

const text = { type: "string" };
const integer = { type: "integer" };

function schema(properties: JsonObject, required: string[]): JsonObject {
  return { type: "object", properties, required };
}

function strings(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return asArray(value).filter((entry) => typeof entry === "string");
}

const clientTools: Readonly<Record<string, ClientTool>> = {
  tool_search: {
    item: "tool_search_call",
    prefix: "tsc_",
    description: "Searches for tools that are not loaded yet and loads those that match the query.",
    schema: schema({ query: text, limit: integer }, ["query"]),
    isLocal: (tool) => tool["execution"] === "client",
    write: (input) => ({ execution: "client", arguments: input }),
    read: (item) => {
      const value = item["arguments"];
      const parsed = typeof value === "string" ? parseJson(value) : undefined;
      return typeof value === "string" && parsed !== undefined ? exactly(parsed, value) : value;
    },
  },
  local_shell: {
    item: "local_shell_call",
    prefix: "lsh_",
    description: "Runs a command on the user's machine and returns its output.",
    schema: schema(
      {
        command: { type: "array", items: text, description: "Program and arguments." },
        working_directory: text,
        timeout_ms: integer,
      },
      ["command"],
    ),
    isLocal: () => true,
    write: (input) => ({ action: execAction(input) }),
    read: (item) => without(asObject(item["action"]), "type"),
  },
  shell: {
    item: "shell_call",
    prefix: "sh_",
    description: "Runs shell commands on the user's machine and returns their output.",
    schema: schema(
      {
        commands: { type: "array", items: text, description: "Commands, run one after another." },
        timeout_ms: integer,
        max_output_length: integer,
      },
      ["commands"],
    ),
    isLocal: (tool) => (asObject(tool["environment"])?.["type"] ?? "local") === "local",
    write: (input) => ({
      action: {
        commands: strings(input["commands"] ?? input["command"]),
        timeout_ms: asNumber(input["timeout_ms"]) ?? null,
        max_output_length: asNumber(input["max_output_length"]) ?? null,
      },
      environment: { type: "local" },
    }),
    read: (item) => asObject(item["action"]),
  },
  apply_patch: {
    item: "apply_patch_call",
    prefix: "apc_",
    description: "Creates, updates or deletes one file of the user's workspace by a diff.",
    schema: schema(
      {
        operation: schema(
          {
            type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
            path: text,
            diff: { type: "string", description: "V4A diff; left out for delete_file." },
          },
          ["type", "path"],
        ),
      },
      ["operation"],
    ),
    isLocal: () => true,
    write: (input) => ({ operation: asObject(input["operation"]) ?? input }),
    read: (item) => ({ operation: asObject(item["operation"]) ?? {} }),
  },
};

function execAction(input: JsonObject): JsonObject {
  const { command, env, ...rest } = input;
  const words = typeof command === "string" ? ["bash", "-lc", command] : strings(command);
  return { type: "exec", command: words, env: asObject(env) ?? {}, ...rest };
}

function without(object: JsonObject | undefined, name: string): JsonObject {
  const { [name]: _, ...rest } = object ?? {};
  return rest;
}

function clientToolOf(type: JsonValue | undefined): ClientTool | undefined {
  return typeof type === "string" && Object.hasOwn(clientTools, type)
    ? clientTools[type]
    : undefined;
}

/** The types of this request's client-run tools that can be offered as functions of the same name. */
export function offeredClientTools(request: JsonObject): ReadonlySet<string> {
  const offered = new Set<string>();
  const plain = new Set<string>();
  const scan = (tools: JsonValue | undefined): void => {
    for (const tool of asArray(tools)) {
      if (!isObject(tool)) continue;
      const type = asString(tool["type"]) ?? "";
      const name = asString(tool["name"]);
      if (clientToolOf(type)?.isLocal(tool) === true) offered.add(type);
      else if (type !== "namespace" && name !== undefined) plain.add(name);
    }
  };
  scan(request["tools"]);
  for (const item of asArray(request["input"]))
    if (
      isObject(item) &&
      (item["type"] === "additional_tools" || item["type"] === "tool_search_output")
    )
      scan(item["tools"]);
  // A function of the client's own with that name goes first.
  for (const name of plain) offered.delete(name);
  return offered;
}

/** The function that stands for a client-run tool. */
export function clientToolFunction(
  type: string,
  tool: JsonObject,
): { description: string; schema: JsonObject } | undefined {
  const known = clientToolOf(type);
  return (
    known && {
      description: asString(tool["description"]) ?? known.description,
      schema: asObject(tool["parameters"]) ?? known.schema,
    }
  );
}

/** Name and arguments (JSON text) of the call that an item of such a type stands for. */
export function readClientToolCall(item: JsonObject): { name: string; input: string } | undefined {
  for (const [name, known] of Object.entries(clientTools)) {
    if (known.item !== item["type"]) continue;
    const value = known.read(item);
    return { name, input: value === undefined ? "{}" : JSON.stringify(value) };
  }
  return undefined;
}

/** The item of a finished call, without `id`, `call_id` and `status`; and the prefix of its id. */
export function clientToolItem(
  type: string,
  input: string,
): { prefix: string; item: JsonObject } | undefined {
  const known = clientToolOf(type);
  if (!known) return undefined;
  const value = parseJson(input === "" ? "{}" : input);
  const members = isObject(value) ? exactly(value, input) : { query: input };
  return { prefix: known.prefix, item: { type: known.item, ...known.write(members) } };
}
