/** What every writer of a block does: it writes events of the stream, and the item or part that stays. */
import type { Citation, OpaqueState } from "../../../core/request.ts";
import type { Output } from "./output.ts";

/** Writes the pieces of one block; pieces that its kind does not have are ignored. */
export interface BlockWriter {
  delta?(text: string): void;
  cite?(citation: Citation): void;
  state?(state: OpaqueState): void;
  close?(): void;
}

/** What a block is written with. */
export interface BlockContext {
  output: Output;
  /** Types of client-run tools that were offered as functions. */
  clientTools: ReadonlySet<string>;
  /** What the provider wants back with a call; it is written as a reasoning item before the call. */
  state: OpaqueState | undefined;
  /** The block asks for something that no Responses client could do. */
  onUnsupported: (type: string) => void;
}
