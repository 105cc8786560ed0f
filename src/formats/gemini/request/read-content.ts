/** The parts of a content as neutral blocks: one small reader for each kind of part. */
import type { Block, OpaqueBlock } from "../../../core/request.ts";
import { asString, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { readFunctionCall, readResult, type CallHistory } from "./read-calls.ts";
import { readMediaPart } from "./read-media.ts";
import type { Members } from "./read-members.ts";
import { readPartSignature, thought, withState, type PartSignature } from "./read-thinking.ts";

export interface PartSurroundings {
  readonly role: "user" | "assistant" | "instruction";
  readonly history: CallHistory;
}

const textMembers = new Set(["text", "thought", "thoughtSignature"]);
const callMembers = new Set(["functionCall", "thoughtSignature"]);
const resultMembers = new Set(["functionResponse", "thoughtSignature"]);

export function readPart(part: Members, { role, history }: PartSurroundings): Block[] {
  const text = asString(part.get("text"));
  const call = part.inside("functionCall");
  const result = part.inside("functionResponse");
  if (call) {
    part.noteOthers(callMembers);
    const signature = readPartSignature(part, "call");
    return [
      ...thoughtStates(part, signature),
      withState(readFunctionCall(call, history), signature),
    ];
  }
  if (result) {
    part.noteOthers(resultMembers);
    return [readResult(result, part.path, history)];
  }
  if (text !== undefined) return readText(part, text, role);
  return mediaOrOther(part, role);
}

/** Thoughts that are shown, and texts; both may carry a signature. */
function readText(part: Members, text: string, role: PartSurroundings["role"]): Block[] {
  part.noteOthers(textMembers);
  if (part.get("thought") === true) {
    const signature = readPartSignature(part, "thought");
    const [first, ...others] = [...signature.thinking, ...(signature.own ? [signature.own] : [])];
    const rest = others.map((state) => thought("", part.path, state));
    return [thought(text, part.path, first), ...rest];
  }
  const signature = readPartSignature(part, text === "" ? "empty" : "text");
  const own = signature.own ? [thought("", part.path, signature.own)] : [];
  const said: Block[] = text === "" && role === "assistant" ? [] : [{ kind: "text", text }];
  return [...thoughtStates(part, signature), ...own, ...said];
}

function thoughtStates({ path }: Members, { thinking }: PartSignature): Block[] {
  return thinking.map((state) => thought("", path, state));
}

function mediaOrOther(part: Members, role: PartSurroundings["role"]): Block[] {
  const signature = readPartSignature(part, "empty");
  const states = thoughtStates(part, signature);
  const own = signature.own ? [thought("", part.path, signature.own)] : [];
  const media = readMediaPart(part);
  if (media) return [...states, ...own, media];
  return [...states, ...own, ...readOther(part, role)];
}

/** Parts of Google's own tools, and their words where they have any. */
const ownParts: Readonly<Record<string, (member: Members) => string | undefined>> = {
  executableCode: (code) => fenced(asString(code.get("language")) ?? "", code.get("code")),
  codeExecutionResult: (result) => fenced("output", result.get("output")),
  toolCall: () => undefined,
  toolResponse: () => undefined,
};

function fenced(label: string, value: JsonValue | undefined): string | undefined {
  const text = asString(value);
  return text === undefined ? undefined : `\`\`\`${label.toLowerCase()}\n${text}\n\`\`\``;
}

function readOther(part: Members, role: PartSurroundings["role"]): Block[] {
  for (const [name, wordsOf] of Object.entries(ownParts)) {
    const member = part.inside(name);
    if (!member) continue;
    part.noteOthers(new Set([name, "thoughtSignature"]));
    const text = wordsOf(member);
    return [opaque(part, name, { weight: text === undefined ? "auxiliary" : "essential", text })];
  }
  const name = part.firstOther(besideContent);
  if (name === undefined) {
    part.noteOthers(new Set());
    return [];
  }
  // What the user shows must not be lost; of the model's own turns the rest tells enough.
  return [opaque(part, name, { weight: role === "assistant" ? "auxiliary" : "essential" })];
}

/** Members of a part that say something of its content and are none. */
const besideContent = new Set([
  "thought",
  "thoughtSignature",
  "videoMetadata",
  "mediaResolution",
  "mediaProcessing",
  "partMetadata",
  "speechMetadata",
  "audioTranscription",
]);

function opaque(
  part: Members,
  name: string,
  { weight, text }: { readonly weight: OpaqueBlock["weight"]; readonly text?: string | undefined },
): OpaqueBlock {
  const raw: JsonObject = {};
  putMember(raw, name, part.get(name) ?? null);
  return {
    kind: "opaque",
    format: "gemini",
    type: name,
    raw,
    weight,
    path: part.path,
    ...(text !== undefined && { text }),
  };
}
