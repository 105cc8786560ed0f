/** A generateContent request, read as strictly as the provider reads it. */
import {
  checkUnique,
  isObject,
  objectsIn,
  offered,
  onlyMembers,
  startInspection,
  text,
  type Check,
  type Inspection,
  type JsonObject,
} from "./inspection.ts";

const members = [
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "cachedContent",
];
const partMembers = [
  "text",
  "thought",
  "thoughtSignature",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
];

export function inspectGemini(body: JsonObject): Inspection {
  const { inspection, check } = startInspection();
  onlyMembers(body, members, { check, where: "body" });
  for (const tool of objectsIn(body["tools"]).flatMap((entry) =>
    objectsIn(entry["functionDeclarations"]),
  )) {
    onlyMembers(tool, ["name", "description", "parameters", "parametersJsonSchema", "behavior"], {
      check,
      where: "tool",
    });
    const schema = tool["parametersJsonSchema"] ?? tool["parameters"] ?? { type: "object" };
    inspection.tools.push(offered({ name: tool["name"], schema: lowerType(schema) }, check));
  }
  checkUnique(
    inspection.tools.map(({ name }) => name),
    check,
    "tool name",
  );
  let before = "";
  let open: string[] = [];
  for (const [index, content] of objectsIn(body["contents"]).entries()) {
    const role = text(content["role"]);
    const where = `contents[${index}]`;
    check(role === "user" || role === "model", `${where}: role ${role}`);
    check(index > 0 || role === "user", "contents do not begin with the user");
    check(role !== before, `${where}: two ${role} turns in a row`);
    before = role;
    open = readContent(objectsIn(content["parts"]), { inspection, check, open, where });
  }
  check(open.length === 0, `calls of ${open.join(", ")} unanswered at the end`);
  return inspection;
}

/** `OBJECT` in the narrow form of schemas is `object` in JSON Schema. */
function lowerType(schema: unknown): unknown {
  return isObject(schema) ? { ...schema, type: text(schema["type"]).toLowerCase() } : schema;
}

interface Reading {
  inspection: Inspection;
  check: Check;
  /** Names of the calls of the turn before. */
  open: string[];
  where: string;
}

function readContent(parts: JsonObject[], { inspection, check, open, where }: Reading): string[] {
  check(parts.length > 0, `${where}: no parts`);
  const calls: string[] = [];
  const answered: string[] = [];
  for (const part of parts) {
    onlyMembers(part, partMembers, { check, where });
    if (text(part["thoughtSignature"]) !== "")
      inspection.states.push(text(part["thoughtSignature"]));
    const { functionCall, functionResponse } = part;
    if (isObject(functionCall)) {
      check(
        functionCall["args"] === undefined || isObject(functionCall["args"]),
        `${where}: args are not an object`,
      );
      // The first call of a step carries the state of the thinking that led to it; without it the provider refuses.
      check(
        calls.length > 0 || text(part["thoughtSignature"]) !== "",
        `${where}: a call without a thought signature`,
      );
      calls.push(text(functionCall["name"]));
      inspection.calls.push({ id: text(functionCall["id"]), name: text(functionCall["name"]) });
    }
    if (isObject(functionResponse)) {
      check(isObject(functionResponse["response"]), `${where}: a response that is not an object`);
      answered.push(text(functionResponse["name"]));
      inspection.results.push({
        id: text(functionResponse["id"]),
        text: JSON.stringify(functionResponse["response"]),
      });
    }
  }
  const same = answered.toSorted().join() === open.toSorted().join();
  check(same, `${where}: answers ${answered.join(", ")} to calls of ${open.join(", ")}`);
  return calls;
}
