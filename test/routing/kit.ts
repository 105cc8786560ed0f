/** Requests and models for routing tests. */
import type { Block, Message, Tool, ModelRequest } from "../../src/core/request.ts";
import type { ModelInfo } from "../../src/core/model.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import type { RoutingDecision } from "../../src/routing/contract/decision.ts";
import type { RoutingInput } from "../../src/routing/contract/input.ts";
import { planAuto } from "../../src/routing/plan.ts";

export function text(value: string): Block {
  return { kind: "text", text: value };
}

export function user(...blocks: (Block | string)[]): Message {
  return {
    role: "user",
    blocks: blocks.map((block) => (typeof block === "string" ? text(block) : block)),
  };
}

export function assistant(...blocks: (Block | string)[]): Message {
  return {
    role: "assistant",
    blocks: blocks.map((block) => (typeof block === "string" ? text(block) : block)),
  };
}

export function instruction(value: string): Message {
  return { role: "instruction", blocks: [text(value)], top: true };
}

export function call(id: string, name = "Bash", input = `{"command":"${id}"}`): Block {
  return { kind: "call", id, name, call: "function", input };
}

export function result(id: string, value = "ok", isError = false): Block {
  return { kind: "result", id, call: "function", blocks: [text(value)], isError, path: "" };
}

export function tools(count: number): Tool[] {
  return Array.from({ length: count }, (_, at) => ({
    kind: "function",
    name: `tool_${at}`,
    path: "tools[]",
  }));
}

export function modelRequest(messages: Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    format: "chat",
    model: "auto",
    stream: false,
    wantsUsage: false,
    messages,
    tools: [],
    stop: [],
    sampling: {},
    unsupported: [],
    paths: {},
    openaiOnly: {},
    ...more,
  };
}

export function headers(values: Record<string, string> = {}): { get(name: string): string | null } {
  return new Headers(values);
}

export const claudeCode = { "user-agent": "claude-cli/2.1.329 (external, cli)" };
export const codex = { "user-agent": "codex_exec/0.169.0", originator: "codex_exec" };

interface ModelOptions extends Partial<ModelInfo> {
  subscription?: boolean;
  kind?: string;
}

/** `model("lab/fast", …)`: one listed model of the connection before the slash. */
export function model(
  id: string,
  { subscription = false, kind = "custom", ...info }: ModelOptions = {},
): ListedModel {
  const [connection = "", ...rest] = id.split("/");
  return {
    id,
    connection: {
      id: connection,
      kind,
      entry: { id: connection, kind },
      baseUrl: "http://127.0.0.1:9/v1",
      subscription,
      keyless: true,
      timeouts: { headers: 30, firstContent: 60, idle: 120, total: 900 },
    },
    info: { id: rest.join("/"), ...info },
  };
}

export function priced(input: number, output: number): Pick<ModelInfo, "prices"> {
  return { prices: { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 } };
}

export const small = model("lab/small", priced(0.2, 0.8));
export const medium = model("lab/medium", priced(1, 5));
export const large = model("lab/large", priced(3, 15));
export const largest = model("other/largest", priced(5, 25));
export const four = [small, medium, large, largest];
export const tierConfig = {
  tiers: {
    simple: ["lab/small"],
    standard: ["lab/medium"],
    complex: ["lab/large"],
    reasoning: ["other/largest"],
  },
};

/** Decides with the four models above unless told otherwise. */
export function decide(
  request: ModelRequest,
  more: Partial<Omit<RoutingInput, "request">> = {},
): RoutingDecision {
  return planAuto({
    request,
    headers: headers(),
    harness: { id: "h", routing: tierConfig },
    models: four,
    ...more,
  });
}
