/** What the person typed, for a judge who takes it for permission: nothing counts that may be somebody else's. */
import { commandPart, isInterruption, typedBeginning } from "../../core/client-markup.ts";
import type { Block, Message } from "../../core/request.ts";

/**
 * The typed texts of a conversation, in order. Between two answers of the model stand the texts of the person and of the
 * client: results of tools with notes and bodies of skills behind them, commands with their bodies and output, words of hooks.
 */
export function typedTexts(messages: readonly Message[]): string[] {
  const typed: string[] = [];
  let turn = newTurn();
  for (const { role, blocks } of messages) {
    if (role === "assistant") turn = newTurn();
    if (role !== "user") continue;
    for (const block of blocks) {
      const text = typedIn(block, turn);
      if (text !== "") typed.push(text);
    }
  }
  return typed;
}

/** What came since the model's last answer. */
interface UserTurn {
  /** Texts that follow may be a tool's, a skill's or a hook's, however they look. */
  hasResults: boolean;
  /** The next text is the body of a command. */
  hasCommand: boolean;
}

const newTurn = (): UserTurn => ({ hasResults: false, hasCommand: false });

function typedIn(block: Block, turn: UserTurn): string {
  if (block.kind === "result") turn.hasResults = true;
  if (block.kind !== "text") return "";
  const { text } = block;
  const part = commandPart(text);
  if (part !== undefined) turn.hasCommand = part === "command";
  // The client says so in a text of its own; what the person types then is the next one.
  if (isInterruption(text)) turn.hasResults = false;
  return turn.hasResults || turn.hasCommand ? "" : typedBeginning(text);
}
