/** A conversation as client and provider both know it: what it is for, how the work stands, what it cost. */
import type { BilledTokens } from "./prompt-cache.ts";
import type { Ability, SimulatedModel } from "./model-sets.ts";
import type { Turn, Work } from "./work.ts";
import type { ToolNames } from "./clients/client.ts";

/** What requests are for, as far as costs are told apart. */
export type CostRole = "main" | "Explore" | "general-purpose" | "title" | "compaction";

/** What the model is to do with the next request. */
export type Expected =
  | { readonly kind: "work"; readonly work: Work }
  | { readonly kind: "say"; readonly role: CostRole; readonly text: string };

/** One request as its provider saw it. */
export interface Served extends BilledTokens {
  readonly role: CostRole;
  readonly model: SimulatedModel;
}

/** One conversation; a session has a main one, and one for each agent and side request. */
export class Conversation {
  expected: Expected | undefined;
  /** The turn that answered the last request. */
  turn: Turn | undefined;
  /** The model that answered the last request for work. */
  model: SimulatedModel | undefined;
  readonly served: Served[] = [];
  switches = 0;
  escalations = 0;

  readonly tag: string;
  readonly role: CostRole;
  readonly tools: ToolNames;

  constructor(tag: string, role: CostRole, tools: ToolNames) {
    this.tag = tag;
    this.role = role;
    this.tools = tools;
  }

  /** Answers a request for this conversation. */
  answer(model: SimulatedModel): Turn {
    const { expected } = this;
    if (expected === undefined) throw new Error(`a request that nobody sent for ${this.tag}`);
    if (expected.kind === "say") {
      this.turn = { thinking: "", text: expected.text, steps: [] };
      return this.turn;
    }
    this.#note(model);
    this.turn = expected.work.turn(model.ability);
    return this.turn;
  }

  #note(model: SimulatedModel): void {
    const before: Ability | undefined = this.model?.ability;
    if (before !== undefined && before !== model.ability) this.switches++;
    if (before !== undefined && before < model.ability) this.escalations++;
    this.model = model;
  }
}

/** All conversations of a run, by the tags that their prompts carry. */
export class Conversations {
  readonly #byTag = new Map<string, Conversation>();

  add(conversation: Conversation): Conversation {
    this.#byTag.set(conversation.tag, conversation);
    return conversation;
  }

  /** The conversation of a prompt. Throws where it has none. */
  of(prompt: string): Conversation {
    const tag = /\/desk-([a-z0-9]+)/.exec(prompt)?.[1] ?? "";
    const found = this.#byTag.get(tag);
    if (found === undefined) throw new Error(`a prompt without a known conversation: ${tag}`);
    return found;
  }

  forget(tags: readonly string[]): void {
    for (const tag of tags) this.#byTag.delete(tag);
  }
}

/** The folder in which a conversation's agent works: by it the provider knows the conversation. */
export function folderOf(tag: string): string {
  return `/home/dev/desk-${tag}/shop`;
}
