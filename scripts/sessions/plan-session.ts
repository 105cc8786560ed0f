/** Draws sessions: what a human asks an agent for, what it takes, and how a model that is too weak would fail. */
import { seededRandom } from "../training/random.ts";
import type { ClientName } from "./clients/client.ts";
import { fileAt } from "./material.ts";
import { names, type Phrases } from "./phrases/phrases.ts";
import type { Delegated, Failure, WorkManner, WorkPlan } from "./work.ts";

export type AskKind = "task" | "steering" | "chore" | "question" | "thanks";

export interface AskPlan {
  readonly kind: AskKind;
  readonly text: string;
  readonly work: WorkPlan;
  /** Whether it counts among what is solved or not. */
  readonly counts: boolean;
  /** What the human says each time that a failure shows; with the last of them, the human stops trying. */
  readonly complaints: readonly string[];
  readonly resignation: string;
  /** The human interrupts after so many calls that go wrong. */
  readonly interruptAfter?: number;
  readonly planMode: boolean;
  /** The human comes back after the caches have expired. */
  readonly afterPause: boolean;
  /** The conversation is summarized before. */
  readonly afterCompaction: boolean;
}

export interface SessionPlan {
  readonly number: number;
  readonly client: ClientName;
  /** Claude Code states what its requests are for only where its user has set that. */
  readonly hints: boolean;
  readonly asks: readonly AskPlan[];
}

interface Draw {
  readonly next: () => number;
  readonly phrases: Phrases;
}

/** A session. The same seed and number give the same one. */
export function planSession(seed: number, number: number, phrases: Phrases): SessionPlan {
  const next = seededRandom(seed * 7919 + number * 104_729);
  for (let skipped = 0; skipped < 5; skipped++) next();
  const draw = { next, phrases };
  const share = next();
  const client = share < 0.5 ? "claude" : share < 0.75 ? "codex" : "opencode";
  const hints = next() < 0.5;
  const count = 2 + Math.floor(next() * 4 + next() * 4);
  const asks: AskPlan[] = [];
  let task: WorkPlan | undefined;
  for (let at = 0; at < count; at++) {
    const ask = planAsk(draw, { at, task, client });
    if (ask.kind === "task") task = ask.work;
    asks.push(ask);
  }
  return { number, client, hints, asks };
}

interface Place {
  readonly at: number;
  /** The task before. */
  readonly task: WorkPlan | undefined;
  readonly client: ClientName;
}

function planAsk(draw: Draw, { at, task, client }: Place): AskPlan {
  const { next, phrases } = draw;
  const kind = at === 0 ? (next() < 0.8 ? "task" : "question") : kindOf(next(), task);
  const need = needOf(kind, { next, task });
  const work = workOf(draw, { kind, need, client });
  const text = filled(oneOf(next, wordsFor(kind, { draw, need })), next);
  const complaints = Array.from({ length: next() < 0.55 ? 2 : 3 }, () => {
    const complaint = oneOf(next, phrases.complaints);
    const repeats = next();
    if (repeats < 0.12) return text;
    return repeats < 0.25 ? `${complaint}\n\n${text}` : complaint;
  });
  const interrupts = next() < 0.15;
  const interruptAfter = 4 + Math.floor(next() * 3);
  return {
    kind,
    text,
    work,
    counts: kind === "task" || kind === "steering" || need > 1,
    complaints,
    resignation: oneOf(next, phrases.resignations),
    ...(interrupts && { interruptAfter }),
    planMode: work.planAfter !== undefined,
    afterPause: at > 0 && next() < 0.12,
    afterCompaction: at > 2 && next() < 0.04,
  };
}

function kindOf(share: number, task: WorkPlan | undefined): AskKind {
  if (share < 0.36) return "task";
  if (share < 0.52) return task === undefined ? "task" : "steering";
  if (share < 0.76) return "chore";
  return share < 0.9 ? "question" : "thanks";
}

/** Two thirds of the tasks need little; three in a hundred need more than any model has. */
function needOf(
  kind: AskKind,
  { next, task }: { next: () => number; task: WorkPlan | undefined },
): WorkPlan["need"] {
  const share = next();
  switch (kind) {
    case "task":
      return share < 0.66 ? 1 : share < 0.87 ? 2 : share < 0.97 ? 3 : 4;
    case "steering":
      return share < 0.5 && task !== undefined && task.need < 4 ? task.need : 1;
    case "question":
      return share < 0.8 ? 1 : share < 0.94 ? 2 : 3;
    case "chore":
    case "thanks":
      return 1;
    default:
      return kind satisfies never;
  }
}

/** In three of ten tasks the words suggest another ability than it takes. */
function wordsFor(
  kind: AskKind,
  { draw: { next, phrases }, need }: { draw: Draw; need: WorkPlan["need"] },
): readonly string[] {
  switch (kind) {
    case "task": {
      const misleads = next() < 0.3;
      const suggested = misleads ? 1 + Math.floor(next() * 3) : Math.min(3, need);
      return phrases.tasks[suggested - 1] ?? phrases.tasks[0];
    }
    case "steering":
      return phrases.steering;
    case "chore":
      return phrases.chores;
    case "question":
      return phrases.questions[need === 1 ? 0 : 1];
    case "thanks":
      return phrases.thanks;
    default:
      return kind satisfies never;
  }
}

/** Fewest calls, and the most frequent number above that. */
const lengths: Readonly<Record<AskKind, readonly [number, number]>> = {
  task: [4, 7],
  steering: [2, 6],
  chore: [1, 2],
  question: [1, 4],
  thanks: [0, 0],
};

const failures: readonly (readonly [number, Failure])[] = [
  [0.27, "tests"],
  [0.45, "edit"],
  [0.54, "schema"],
  [0.68, "search"],
  [0.92, "claim"],
  [1, "silent"],
];

function workOf(
  draw: Draw,
  { kind, need, client }: { kind: AskKind; need: WorkPlan["need"]; client: ClientName },
): WorkPlan {
  const { next } = draw;
  const plan = failingWork(next, { need, steps: stepsOf(kind, next), manner: manners[kind] });
  const plans = kind === "task" && client === "claude" && next() < 0.1;
  const delegates = kind === "task" && client !== "codex" && next() < 0.3;
  return {
    ...plan,
    delegates: delegates ? [delegated(draw, plan)] : [],
    ...(plans && { planAfter: Math.floor(plan.steps * 0.3) }),
  };
}

const manners: Readonly<Record<AskKind, WorkManner>> = {
  task: "changes",
  steering: "changes",
  chore: "runs",
  question: "looks",
  thanks: "looks",
};

function stepsOf(kind: AskKind, next: () => number): number {
  const [least, spread] = lengths[kind];
  return Math.floor(least + (next() + next() * next()) * spread);
}

function failingWork(
  next: () => number,
  { need, steps, manner }: Pick<WorkPlan, "need" | "steps" | "manner">,
): WorkPlan {
  const share = next();
  // Whoever only looks makes no edit that could fail.
  const failure =
    manner === "looks"
      ? share < 0.8
        ? "claim"
        : "silent"
      : (failures.find(([until]) => share < until)?.[1] ?? "silent");
  const hardFrom = Math.floor(steps * (1 / 3 + next() / 3));
  return {
    seed: Math.floor(next() * 1e9),
    need,
    manner,
    steps,
    failure,
    hardFrom,
    hardTo: Math.max(hardFrom + 1, Math.ceil(hardFrom + (steps - hardFrom) * 0.7)),
    patience: 6 + Math.floor(next() * 9),
    delegates: [],
  };
}

/** Most agents look around, which any model can; some work on a part. */
function delegated({ next, phrases }: Draw, { need, steps }: WorkPlan): Delegated {
  const agent = next() < 0.75 ? "Explore" : "general-purpose";
  const own = agent === "Explore" ? 1 : next() < 0.5 && need < 4 ? need : 1;
  const prompt = agent === "Explore" ? phrases.explorations : phrases.delegations;
  const length = 4 + Math.floor(next() * 9);
  const work = failingWork(next, {
    need: own,
    steps: length,
    manner: agent === "Explore" ? "looks" : "changes",
  });
  const failure = work.failure === "silent" ? "claim" : work.failure;
  const at = agent === "Explore" ? 0 : Math.floor(steps * 0.2);
  return { at, agent, prompt: filled(oneOf(next, prompt), next), plan: { ...work, failure } };
}

function oneOf(next: () => number, list: readonly string[]): string {
  return list[Math.floor(next() * list.length)] ?? "";
}

function filled(text: string, next: () => number): string {
  const name = oneOf(next, names);
  return text.replaceAll("{file}", fileAt(next())).replaceAll("{name}", name);
}
