/** The calls of tools in an answer, as they come. */
import type { ReplyEvent } from "../../core/events.ts";

export interface JudgedCall {
  /** As the provider gave it. */
  readonly id: string;
  readonly name: string;
  /** JSON text, or free text. */
  readonly input: string;
}

interface GrowingCall {
  id: string;
  name: string;
  input: string[];
}

export interface CallCollector {
  add(events: readonly ReplyEvent[]): void;
  /** In the order in which they opened. */
  calls(): JudgedCall[];
}

export function callCollector(): CallCollector {
  const byKey = new Map<number, GrowingCall>();
  const all: GrowingCall[] = [];
  const addEvent = (event: ReplyEvent): void => {
    if (event.kind === "delta") byKey.get(event.key)?.input.push(event.text);
    if (event.kind !== "open" || event.block.kind !== "call") return;
    const { id, name, namespace } = event.block;
    const call = { id, name: namespace === undefined ? name : `${namespace}.${name}`, input: [] };
    byKey.set(event.key, call);
    all.push(call);
  };
  return {
    add: (events) => events.forEach(addEvent),
    calls: () => all.map(({ id, name, input }) => ({ id, name, input: input.join("") })),
  };
}

/** Those of a whole answer. */
export function callsOf(events: readonly ReplyEvent[]): JudgedCall[] {
  const collector = callCollector();
  collector.add(events);
  return collector.calls();
}
