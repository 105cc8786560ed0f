/** What the gateway reads off a generateContent request without translating it. */
import type { RequestAddress, RequestDescription, UncertainField } from "../../../core/format.ts";
import { asArray, asString, isObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { describeCost } from "../../../translation/describe-cost.ts";
import {
  type AskedUses,
  askedUses,
  describeFees,
  onePart,
  outputsIn,
} from "../../../translation/describe-fees.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import { modelOf } from "./check.ts";
import { camelCase, membersOf, type Members } from "./read-members.ts";

/** Uses of a tool that are expected; no request bounds them. */
const usualToolUses = 3;

export function describe(body: JsonObject, address?: RequestAddress): RequestDescription {
  const request = membersOf(body, { path: "", unsupported: new Set() });
  const cost = describeCost(body, []);
  const maxOutput = largest(settings(body, "maxOutputTokens"));
  const answers = largest(settings(body, "candidateCount"));
  const tier = asString(request.get("serviceTier"));
  const outputs = outputsIn(
    settings(body, "responseModalities").flatMap(({ value }): JsonValue[] =>
      Array.isArray(value) ? asArray(value) : [value ?? null],
    ),
  );
  const conversation = conversationOf(request);
  return {
    ...cost,
    model: asString(modelOf(body, address)) ?? "",
    stream: isStreamed(body, address),
    wantsUsage: true,
    ...(maxOutput !== undefined && { maxOutput }),
    answers: Math.max(cost.answers, Math.ceil(answers ?? 1)),
    stored: false,
    ...(request.get("cachedContent") !== undefined && { addsInput: true }),
    ...(tier !== undefined && { serviceTier: tier.toLowerCase() }),
    ...describeFees(body, toolsOf(request)),
    ...(outputs && { outputs }),
    uncertain: [...cost.uncertain, ...uncertainSettings(body)],
    otherModels: [...cost.otherModels, ...choosingSettings(body)],
    ...(conversation !== undefined && { conversation }),
  };
}

/** The address tells how to answer; callers without one write it into the body. */
export function isStreamed(body: JsonObject, address?: RequestAddress): boolean {
  return address === undefined ? body["stream"] === true : address.answer !== "whole";
}

interface Setting {
  readonly path: string;
  readonly value: JsonValue | undefined;
}

/** A setting under every spelling of it: of two that differ, either may count. */
function settings(body: JsonObject, name: string): Setting[] {
  return ["generationConfig", "generation_config"].flatMap((holder) => {
    const config = body[holder];
    if (!isObject(config)) return [];
    return Object.keys(config)
      .filter((key) => camelCase(key) === name)
      .map((key) => ({ path: `${holder}.${key}`, value: config[key] }));
  });
}

function largest(found: readonly Setting[]): number | undefined {
  const counts = found.map(({ value }) => Number(value)).filter((count) => count > 0);
  return counts.length === 0 ? undefined : counts.reduce((most, count) => Math.max(most, count));
}

function uncertainSettings(body: JsonObject): UncertainField[] {
  const counts = ["maxOutputTokens", "candidateCount"].flatMap((name) => settings(body, name));
  return counts.flatMap(({ path, value }) =>
    value === undefined || value === null || isCount(value)
      ? []
      : [{ path, must: "must be an integer of at least 1" }],
  );
}

/** Whole numbers may be written as texts. */
function isCount(value: JsonValue): boolean {
  const isText = typeof value === "string" && /^\d{1,15}$/.test(value);
  return (
    (typeof value === "number" || isText) && Number.isInteger(Number(value)) && Number(value) >= 1
  );
}

/** Settings by which the service itself chooses among models. */
function choosingSettings(body: JsonObject): string[] {
  return ["routingConfig", "modelSelectionConfig", "modelConfig"]
    .flatMap((name) => settings(body, name))
    .flatMap(({ path, value }) => (value === undefined || value === null ? [] : [path]));
}

/** The service's own tools by what they are counted as; a tool that is not listed is counted by its own name. */
const hostedTools: ReadonlyMap<string, string> = new Map([
  ["googleSearch", "webSearch"],
  ["googleSearchRetrieval", "webSearch"],
  ["enterpriseWebSearch", "webSearch:enterprise"],
  ["googleMaps", "map_search"],
  ["fileSearch", "fileSearch"],
  ["codeExecution", "code_execution"],
  ["urlContext", "url_context"],
]);
/** Tools that the client runs itself. */
const clientTools: ReadonlySet<string> = new Set([
  "functionDeclarations",
  "computerUse",
  "mcpServers",
]);

function toolsOf(request: Members): AskedUses {
  const uses = askedUses();
  for (const entry of request.each("tools"))
    for (const name of entry.names().map(camelCase)) {
      if (clientTools.has(name)) continue;
      uses.add(hostedTools.get(name) ?? onePart(name), usualToolUses, name);
    }
  return uses;
}

/** What Gemini CLI says first, the same all through a session: when and where it was begun. */
const sessionMark = "<session_context>";

function conversationOf(request: Members): string | undefined {
  const [first] = request.each("contents");
  const [part] = first?.each("parts") ?? [];
  const text = asString(part?.get("text"));
  return text?.trimStart().startsWith(sessionMark) === true
    ? `gemini-${shortHash(text)}`
    : undefined;
}
