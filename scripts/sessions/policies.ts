/** Who chooses the model of a request: references that name one, and the gateway's `auto`. */
import type { Ran } from "./clients/client.ts";
import type { RoutingQuality } from "./gateway.ts";
import type { ModelSet } from "./model-sets.ts";

/** Chooses for one conversation. */
export interface Chooser {
  /** What the client sends for the next request. */
  next(): { readonly model: string; readonly headers?: Readonly<Record<string, string>> };
  /** A human asked, maybe because the last answer was wrong. */
  asked(complains: boolean): void;
  ran(steps: readonly Ran[]): void;
}

export interface Policy {
  /** As the command line has it. */
  readonly id: string;
  readonly name: string;
  /** Whether the gateway chooses. */
  readonly routed: boolean;
  /** What the harness is set to. */
  readonly quality: RoutingQuality;
  chooser(set: ModelSet): Chooser;
}

const nothing = (): void => undefined;

function always(at: 0 | 1 | 2): Policy["chooser"] {
  return ({ models }) => ({
    next: () => ({ model: models[at].id }),
    asked: nothing,
    ran: nothing,
  });
}

const auto: Policy["chooser"] = () => ({
  next: () => ({ model: "auto" }),
  asked: nothing,
  ran: nothing,
});

let requests = 0;

/** Each request as the first of a session: the gateway remembers nothing of the ones before. */
const memoryless: Policy["chooser"] = () => ({
  next: () => ({ model: "auto", headers: { "x-gateway-session": `once-${requests++}` } }),
  asked: nothing,
  ran: nothing,
});

/** Results that count, and how many of them may have failed. */
const window = 6;
const mostFailures = 1;
const mostRepeats = 2;

/**
 * Reads no words: each ask starts on the cheap model. One up when two of the last six results failed, a call came three
 * times, or the human says that it is wrong.
 */
const startCheap: Policy["chooser"] = ({ models }) => {
  let level = 0;
  let recent: { failed: boolean; call: string }[] = [];
  const up = (): void => {
    level = Math.min(models.length - 1, level + 1);
    recent = [];
  };
  return {
    next: () => ({ model: (models[level] ?? models[0]).id }),
    asked(complains) {
      if (complains) up();
      else level = 0;
      recent = [];
    },
    ran(steps) {
      for (const { action, outcome } of steps)
        recent.push({ failed: outcome.kind !== "fine", call: JSON.stringify(action) });
      recent = recent.slice(-window);
      const failures = recent.filter(({ failed }) => failed).length;
      const repeats = recent.map(
        ({ call }) => recent.filter((other) => other.call === call).length,
      );
      if (failures > mostFailures || Math.max(...repeats) > mostRepeats) up();
    },
  };
};

/** The first is what the others are compared with. */
export const policies: readonly Policy[] = [
  { id: "strong", routed: false, name: "always strong", quality: "balanced", chooser: always(2) },
  { id: "middle", routed: false, name: "always middle", quality: "balanced", chooser: always(1) },
  { id: "cheap", routed: false, name: "always cheap", quality: "balanced", chooser: always(0) },
  {
    id: "start-cheap",
    routed: false,
    name: "start cheap, up on failure",
    quality: "balanced",
    chooser: startCheap,
  },
  {
    id: "memoryless",
    routed: true,
    name: "auto without memory",
    quality: "balanced",
    chooser: memoryless,
  },
  { id: "auto", routed: true, name: "auto", quality: "balanced", chooser: auto },
  { id: "eco", routed: true, name: "auto, eco", quality: "eco", chooser: auto },
  { id: "quality", routed: true, name: "auto, quality", quality: "quality", chooser: auto },
];
