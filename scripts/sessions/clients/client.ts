/** What the simulated agent programs have in common: each writes requests in its own shape and reads its own streams. */
import type { WireCall, WireObject } from "../provider-answers.ts";
import type { Action, AgentType, Outcome } from "../work.ts";

export type ClientName = "claude" | "codex" | "opencode";

/** How a client's tools are called for what an agent does. The tag tells where it works. */
export type ToolNames = (action: Action, tag: string) => WireCall;

export interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireObject;
}

/** A call as the client ran it. */
export interface Ran {
  readonly action: Action;
  readonly outcome: Exclude<Outcome, { kind: "report" }>;
}

/** How an ask comes to the model. */
export type AskManner = "plain" | "plan" | "interrupting";

/** One conversation of a client with the model. */
export interface ClientConversation {
  ask(text: string, manner: AskManner): void;
  request(model: string): WireRequest;
  /** Reads a streamed answer into the conversation. Returns how many calls it has. */
  read(events: readonly WireObject[]): number;
  results(ran: readonly Ran[]): void;
  /** The request that summarizes the conversation. */
  compaction(model: string): WireRequest;
  /** Goes on from a summary. */
  resume(summary: string): void;
}

export interface ConversationSetup {
  /** By this tag the provider knows the conversation. */
  readonly tag: string;
  readonly sessionId: string;
  /** Set for agents that the main one delegates to. */
  readonly agent?: { readonly type: AgentType; readonly id: string };
  /** Claude Code states what its requests are for. */
  readonly hints: boolean;
}

/** An agent program. */
export interface AgentClient {
  readonly tools: ToolNames;
  /** Whether its agents delegate to others. */
  readonly delegates: boolean;
  open(setup: ConversationSetup): ClientConversation;
  /** The side request that names a session; undefined for programs that send none. */
  title(setup: ConversationSetup, ask: string): ((model: string) => WireRequest) | undefined;
}

/** The data of a stream's events. */
export function eventsOf(stream: string): WireObject[] {
  return stream
    .split("\n")
    .flatMap((line) =>
      line.startsWith("data: {") ? [JSON.parse(line.slice(6)) as WireObject] : [],
    );
}

/** An id of this look, by a name. */
export function idOf(name: string): string {
  let hash = 0x811c9dc5;
  let text = "";
  for (let round = 0; text.length < 32; round++) {
    for (const character of `${name}${round}`)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    text += (hash >>> 0).toString(16).padStart(8, "0");
  }
  return [8, 12, 16, 20]
    .toReversed()
    .reduce((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, text);
}

/** A property of a tool's schema. */
export function property(type: string, description: string, more: WireObject = {}): WireObject {
  return { type, description, ...more };
}

export interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, WireObject>>;
  readonly required: readonly string[];
}

export function schemaOf({ properties, required }: ToolText): WireObject {
  return { type: "object", properties, required };
}
