/** What OpenTelemetry's semantic conventions call things, in one pinned version. */
import { isOperation, type LoggedFormat } from "../../core/operation-name.ts";
import type { StopReason } from "../../core/events.ts";

/** The conventions that names and values of spans and metrics follow. */
export const conventionsSchema = "https://opentelemetry.io/schemas/1.41.1";

/** `gen_ai.operation.name` of a request: the conventions' names where they have one. */
export function operationNameOf(format: LoggedFormat): string {
  if (!isOperation(format)) return "chat";
  return format === "completions" ? "text_completion" : format;
}

/** The conventions' names of providers, by kinds of the catalogue; the others keep their own. */
const providerNames: Readonly<Record<string, string>> = {
  gemini: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  bedrock: "aws.bedrock",
  "bedrock-mantle": "aws.bedrock",
  azure: "azure.ai.openai",
  mistral: "mistral_ai",
  xai: "x_ai",
  moonshot: "moonshot_ai",
};

/** `gen_ai.provider.name` of a kind. */
export function providerNameOf(kind: string): string {
  return Object.hasOwn(providerNames, kind) ? (providerNames[kind] ?? kind) : kind;
}

/** `finish_reason` of the conventions' messages. */
export const finishReasons: Readonly<Record<StopReason, string>> = {
  end: "stop",
  stop_sequence: "stop",
  tools: "tool_call",
  length: "length",
  context_full: "length",
  filter: "content_filter",
  pause: "pause",
  error: "error",
};
