/** What a provider is asked, read from its wire request by the protocols' descriptions alone. */
import type { FormatName } from "../../src/core/format-name.ts";
import { list, object, text, type Loose } from "./loose.ts";

export interface Asked {
  /** Instructions at the head. */
  system: string;
  /** All that is said as the user, instructions in place included. */
  user: string;
  assistant: string;
  calls: { name: string; args: unknown }[];
  /** Results by the number of the call that they answer. */
  results: { call: number; text: string; error: boolean }[];
  pictures: string[];
  tools: { name: string; description: string; schema: unknown }[];
  choice: string | undefined;
  max: unknown;
  temperature: unknown;
  topP: unknown;
  stop: unknown[];
}

interface Reading extends Asked {
  /** Ids of the calls so far; a result answers the latest of its id. */
  ids: string[];
}

export function asked(format: FormatName, body: Loose): Asked {
  const reading: Reading = {
    system: "",
    user: "",
    assistant: "",
    calls: [],
    results: [],
    pictures: [],
    tools: [],
    choice: undefined,
    max: undefined,
    temperature: body["temperature"],
    topP: body["top_p"],
    stop: [],
    ids: [],
  };
  readers[format](reading, body);
  const { ids: _, ...found } = reading;
  return found;
}

const readers: Record<FormatName, (reading: Reading, body: Loose) => void> = {
  chat: readChat,
  responses: readResponses,
  messages: readMessages,
  gemini: readGemini,
};

function addCall(reading: Reading, id: unknown, call: { name: unknown; args: unknown }): void {
  reading.ids.push(text(id));
  const args =
    typeof call.args === "string"
      ? (JSON.parse(call.args === "" ? "{}" : call.args) as unknown)
      : call.args;
  reading.calls.push({ name: text(call.name), args });
}

function addResult(reading: Reading, id: unknown, result: { text: string; error: boolean }): void {
  reading.results.push({ call: reading.ids.lastIndexOf(text(id)), ...result });
}

function addPicture(reading: Reading, url: unknown): void {
  const data = /^data:image\/png;base64,(.*)$/.exec(text(url))?.[1];
  if (data !== undefined) reading.pictures.push(data);
}

function readChat(reading: Reading, body: Loose): void {
  for (const message of list(body["messages"])) {
    const parts =
      typeof message["content"] === "string"
        ? [{ type: "text", text: message["content"] }]
        : list(message["content"]);
    const words = parts.map((part) => text(part["text"])).join("");
    const { role } = message;
    if (role === "tool") addResult(reading, message["tool_call_id"], { text: words, error: false });
    else if (role === "assistant") reading.assistant += words;
    else if (role === "user") reading.user += words;
    else if (reading.user === "" && reading.assistant === "") reading.system += words;
    else reading.user += words;
    for (const part of parts) addPicture(reading, object(part["image_url"])["url"]);
    for (const call of list(message["tool_calls"])) {
      const made = object(call["function"]);
      addCall(reading, call["id"], { name: made["name"], args: made["arguments"] });
    }
  }
  for (const tool of list(body["tools"])) addTool(reading, object(tool["function"]), "parameters");
  const choice = body["tool_choice"];
  reading.choice =
    typeof choice === "object"
      ? `tool:${text(object(object(choice)["function"])["name"])}`
      : text(choice) || undefined;
  reading.max = body["max_completion_tokens"] ?? body["max_tokens"];
  const { stop } = body;
  reading.stop = typeof stop === "string" ? [stop] : ((stop as unknown[] | undefined) ?? []);
}

function addTool(reading: Reading, tool: Loose, schema: string): void {
  reading.tools.push({
    name: text(tool["name"]),
    description: text(tool["description"]),
    schema: tool[schema],
  });
}

function readResponses(reading: Reading, body: Loose): void {
  reading.system = text(body["instructions"]);
  const input = body["input"];
  for (const item of typeof input === "string" ? [{ role: "user", content: input }] : list(input))
    readItem(reading, item);
  for (const tool of list(body["tools"])) addTool(reading, tool, "parameters");
  const choice = body["tool_choice"];
  reading.choice =
    typeof choice === "object" ? `tool:${text(object(choice)["name"])}` : text(choice) || undefined;
  reading.max = body["max_output_tokens"];
}

function readItem(reading: Reading, item: Loose): void {
  const said = item["content"] ?? item["output"];
  const parts = typeof said === "string" ? [{ text: said }] : list(said);
  const words = parts.map((part) => text(part["text"])).join("");
  for (const part of parts) addPicture(reading, part["image_url"]);
  if (item["type"] === "function_call")
    addCall(reading, item["call_id"], { name: item["name"], args: item["arguments"] });
  else if (item["type"] === "function_call_output")
    addResult(reading, item["call_id"], { text: words, error: false });
  else if (item["role"] === "assistant") reading.assistant += words;
  else if (item["role"] === "user" || reading.user !== "" || reading.assistant !== "")
    reading.user += words;
  else reading.system += words;
}

function readMessages(reading: Reading, body: Loose): void {
  const { system } = body;
  reading.system =
    typeof system === "string"
      ? system
      : list(system)
          .map((part) => text(part["text"]))
          .join("");
  for (const message of list(body["messages"])) {
    const parts =
      typeof message["content"] === "string"
        ? [{ type: "text", text: message["content"] }]
        : list(message["content"]);
    for (const part of parts) readBlock(reading, part, message["role"] === "assistant");
  }
  for (const tool of list(body["tools"])) addTool(reading, tool, "input_schema");
  const choice = object(body["tool_choice"]);
  const kind = text(choice["type"]);
  reading.choice =
    kind === "tool"
      ? `tool:${text(choice["name"])}`
      : kind === "any"
        ? "required"
        : kind || undefined;
  reading.max = body["max_tokens"];
  reading.stop = (body["stop_sequences"] as unknown[] | undefined) ?? [];
}

function readBlock(reading: Reading, part: Loose, byAssistant: boolean): void {
  const source = object(part["source"]);
  if (source["type"] === "base64") reading.pictures.push(text(source["data"]));
  if (part["type"] === "tool_use")
    addCall(reading, part["id"], { name: part["name"], args: part["input"] });
  else if (part["type"] === "tool_result") {
    const { content } = part;
    const inner = typeof content === "string" ? [{ text: content }] : list(content);
    addResult(reading, part["tool_use_id"], {
      text: inner.map((one) => text(object(one)["text"])).join(""),
      error: part["is_error"] === true,
    });
    for (const one of inner)
      if ("type" in one && one["type"] === "image") readBlock(reading, one, false);
  } else if (byAssistant) reading.assistant += text(part["text"]);
  else reading.user += text(part["text"]);
}

function readGemini(reading: Reading, body: Loose): void {
  reading.system = list(object(body["systemInstruction"])["parts"])
    .map((part) => text(part["text"]))
    .join("");
  for (const content of list(body["contents"])) {
    for (const part of list(content["parts"])) readPart(reading, part, content["role"] === "model");
  }
  for (const tool of list(body["tools"])) {
    for (const one of list(tool["functionDeclarations"]))
      addTool(reading, one, "parametersJsonSchema");
  }
  const calling = object(object(body["toolConfig"])["functionCallingConfig"]);
  const allowed = calling["allowedFunctionNames"];
  const modes: Record<string, string> = { AUTO: "auto", NONE: "none", ANY: "required" };
  reading.choice = Array.isArray(allowed)
    ? `tool:${allowed.map(String).join()}`
    : modes[text(calling["mode"])];
  const config = object(body["generationConfig"]);
  reading.max = config["maxOutputTokens"];
  reading.temperature = config["temperature"];
  reading.topP = config["topP"];
  reading.stop = (config["stopSequences"] as unknown[] | undefined) ?? [];
}

function readPart(reading: Reading, part: Loose, byModel: boolean): void {
  const call = object(part["functionCall"]);
  const response = object(part["functionResponse"]);
  const data = text(object(part["inlineData"])["data"]);
  if (data !== "") reading.pictures.push(data);
  else if ("functionCall" in part)
    addCall(reading, call["id"], { name: call["name"], args: call["args"] });
  else if ("functionResponse" in part) {
    const said = object(response["response"]);
    const [only] = Object.entries(said).length === 1 ? Object.entries(said) : [];
    const plain =
      only && (only[0] === "result" || only[0] === "error") && typeof only[1] === "string"
        ? only[1]
        : undefined;
    addResult(reading, response["id"], {
      text: plain ?? JSON.stringify(said),
      error: only?.[0] === "error",
    });
    for (const inner of list(response["parts"])) readPart(reading, inner, false);
  } else if (byModel) reading.assistant += text(part["text"]);
  else reading.user += text(part["text"]);
}
