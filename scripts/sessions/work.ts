/**
 * How scripted models work on what they are asked. A model whose ability suffices looks, edits, tests and ends; a weaker
 * one does the same until the hard part, then fails as agents fail. One that suffices and takes over looks, repairs and
 * goes on.
 */
import { seededRandom } from "../training/random.ts";
import { fileAt, outputText, prose } from "./material.ts";
import type { Ability } from "./model-sets.ts";

/** What an agent does in one call. */
export type Action =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "search"; readonly pattern: string; readonly path: string }
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "run"; readonly command: string }
  | {
      readonly kind: "edit";
      readonly path: string;
      readonly before: string;
      readonly after: string;
    }
  /** An edit that lacks its text. */
  | { readonly kind: "broken edit"; readonly path: string; readonly after: string }
  | {
      readonly kind: "delegate";
      readonly agent: AgentType;
      readonly title: string;
      readonly prompt: string;
    }
  | { readonly kind: "present plan"; readonly plan: string };

export type AgentType = "Explore" | "general-purpose";

/** What a client reports of a call. */
export type Outcome =
  | { readonly kind: "fine"; readonly text: string }
  | { readonly kind: "failed command"; readonly text: string }
  | { readonly kind: "text not found" }
  | { readonly kind: "missing parameter" }
  /** Filled in when the agent that it was delegated to has ended. */
  | { readonly kind: "report" };

export interface Step {
  readonly action: Action;
  readonly outcome: Outcome;
}

/** One answer of a model: text, and calls unless it has ended. */
export interface Turn {
  readonly thinking: string;
  readonly text: string;
  readonly steps: readonly Step[];
}

/** How a model that is too weak fails. `claim`: it says done and a human contradicts; `silent`: nobody notices. */
export type Failure = "tests" | "edit" | "schema" | "search" | "claim" | "silent";

/** It changes files and tests them, only looks, or only runs a command. */
export type WorkManner = "changes" | "looks" | "runs";

/** What one ask takes. */
export interface WorkPlan {
  readonly seed: number;
  /** The ability that it needs; 4: no model has it. */
  readonly need: 1 | 2 | 3 | 4;
  readonly manner: WorkManner;
  /** Calls of a model that suffices. */
  readonly steps: number;
  readonly failure: Failure;
  /** Where the hard part begins and ends, in steps. */
  readonly hardFrom: number;
  readonly hardTo: number;
  /** Calls that go wrong before a model gives up. */
  readonly patience: number;
  readonly delegates: readonly Delegated[];
  /** It plans first: the plan is presented after so many steps. */
  readonly planAfter?: number;
}

/** A part that the model gives to another agent before that step. */
export interface Delegated {
  readonly at: number;
  readonly agent: AgentType;
  readonly prompt: string;
  readonly plan: WorkPlan;
}

/** How an ask stands when the model has ended. */
export type Standing = "right" | "shown" | "unnoticed";

/** The state of the work on one ask, over as many attempts as the human asks for. */
export class Work {
  #done = 0;
  #strays = 0;
  #delegated = 0;
  #planned = false;
  #recovering = 0;
  #astray = false;
  #turns = 0;
  #ended = false;
  #ability: Ability = 1;

  readonly plan: WorkPlan;

  constructor(plan: WorkPlan) {
    this.plan = plan;
  }

  /** How it stands. */
  get standing(): Standing {
    if (this.#done >= this.plan.steps && !this.#astray) return "right";
    return this.plan.failure === "silent" && this.#ended ? "unnoticed" : "shown";
  }

  /** Whether a model goes astray, in a way that results show. */
  get strays(): number {
    return this.#strays;
  }

  /** Part of it fell to an agent that failed: it is done again. */
  redo(steps: number): void {
    this.#done = Math.max(0, this.#done - steps);
  }

  /** The human asked again: the model looks anew. */
  again(): void {
    this.#ended = false;
    this.#strays = 0;
    if (this.#astray) this.#done = Math.min(this.#done, this.plan.hardFrom);
  }

  /** What a model of this ability does next. */
  turn(ability: Ability): Turn {
    // A stronger one that does not suffice either tries for itself.
    if (ability > this.#ability) this.#strays = 0;
    this.#ability = ability;
    const at = this.#turns++;
    const next = seededRandom(this.plan.seed * 1009 + at);
    const steps = this.#steps(ability, next);
    if (steps.length === 0) this.#ended = true;
    const thinking = next() < 0.4 ? prose(next, 20 + next() * 90) : "";
    const words = steps.length === 0 ? 60 + next() * 180 : next() < 0.5 ? 8 + next() * 30 : 0;
    return { thinking, text: words === 0 ? "" : prose(next, words), steps };
  }

  #steps(ability: Ability, next: () => number): Step[] {
    const { plan } = this;
    const suffices = ability >= plan.need;
    if (this.#astray && suffices) return this.#recover(next);
    if (this.#done >= plan.steps) return [];
    const isHard = this.#done >= plan.hardFrom && this.#done < plan.hardTo;
    if (!suffices && isHard) this.#astray = true;
    const isOpen = plan.failure !== "claim" && plan.failure !== "silent";
    if (this.#astray && isOpen) return this.#stray(next);
    return this.#advance(next);
  }

  /** Looks at what the weaker model left, and repairs it. */
  #recover(next: () => number): Step[] {
    this.#recovering++;
    if (this.#recovering <= 2) return [look(next)];
    this.#recovering = 0;
    this.#astray = false;
    this.#strays = 0;
    this.#done = Math.max(0, Math.min(this.#done, this.plan.steps - 2));
    return [this.plan.manner === "looks" ? look(next) : edit(next)];
  }

  #advance(next: () => number): Step[] {
    const { plan } = this;
    const delegated = plan.delegates[this.#delegated];
    if (delegated !== undefined && this.#done >= delegated.at) {
      this.#delegated++;
      const { agent, prompt } = delegated;
      const title = prompt.split(" ").slice(0, 4).join(" ");
      return [{ action: { kind: "delegate", agent, title, prompt }, outcome: { kind: "report" } }];
    }
    if (plan.planAfter !== undefined && !this.#planned && this.#done >= plan.planAfter) {
      this.#planned = true;
      const action = { kind: "present plan", plan: prose(next, 180) } as const;
      return [{ action, outcome: { kind: "fine", text: "" } }];
    }
    const share = this.#done / plan.steps;
    if (plan.manner === "runs") {
      this.#done++;
      return [run(next, { fails: next() < 0.1, seed: Math.floor(next() * 1e6) })];
    }
    if (share < 0.4 || plan.manner === "looks") {
      const count = next() < 0.2 && plan.steps - this.#done >= 2 ? 2 : 1;
      this.#done += count;
      return Array.from({ length: count }, () => look(next));
    }
    this.#done++;
    if (this.#done % 2 === 1) return [next() < 0.05 ? missedEdit(next) : edit(next)];
    const fails = next() < (share < 0.85 ? 0.35 : 0);
    return [run(next, { fails, seed: Math.floor(next() * 1e6) })];
  }

  #stray(next: () => number): Step[] {
    const { plan } = this;
    if (this.#strays >= plan.patience) return [];
    const at = this.#strays++;
    // What is tried again and again is the same each time.
    const same = seededRandom(plan.seed);
    switch (plan.failure) {
      case "tests":
        if (at % 5 === 4) return [look(next)];
        return [at % 2 === 0 ? edit(next) : run(same, { fails: true, seed: plan.seed })];
      case "edit":
        if (at % 3 === 2) return [look(next)];
        return [missedEdit(at % 3 === 0 ? same : next)];
      case "schema": {
        if (at % 4 === 3) return [look(next)];
        const path = fileAt(same());
        const after = prose(at % 2 === 0 ? same : next, 20);
        return [
          { action: { kind: "broken edit", path, after }, outcome: { kind: "missing parameter" } },
        ];
      }
      case "search": {
        if (at % 4 === 3) return [look(next)];
        const pattern = prose(same, 2).replaceAll(" ", "_").replace(".", "");
        const action = { kind: "search", pattern, path: "src" } as const;
        return [{ action, outcome: { kind: "fine", text: "No matches found" } }];
      }
      case "claim":
      case "silent":
        return [];
      default:
        return plan.failure satisfies never;
    }
  }
}

function look(next: () => number): Step {
  const kind = next();
  const path = fileAt(next());
  const outcome = { kind: "fine", text: outputText(next, "file") } as const;
  if (kind < 0.55) return { action: { kind: "read", path }, outcome };
  if (kind < 0.8) {
    const pattern = prose(next, 2).replaceAll(" ", "_").replace(".", "");
    return {
      action: { kind: "search", pattern, path: "src" },
      outcome: { kind: "fine", text: outputText(next, "matches") },
    };
  }
  if (kind < 0.9)
    return {
      action: { kind: "list", path: "src" },
      outcome: { kind: "fine", text: outputText(next, "listing") },
    };
  const command =
    ["git status", "git log --oneline -5", "git diff"][Math.floor(next() * 3)] ?? "ls";
  return {
    action: { kind: "run", command },
    outcome: { kind: "fine", text: outputText(next, "log") },
  };
}

function edit(next: () => number): Step {
  const action = {
    kind: "edit",
    path: fileAt(next()),
    before: prose(next, 10 + next() * 25),
    after: prose(next, 20 + next() * 70),
  } as const;
  return { action, outcome: { kind: "fine", text: outputText(next, "edited") } };
}

function missedEdit(next: () => number): Step {
  const { action } = edit(next);
  return { action, outcome: { kind: "text not found" } };
}

const commands = [
  "npm test",
  "npx tsc --noEmit",
  "npm run lint",
  "npm test -- src",
  "pytest -q",
  "go test ./...",
];

function run(next: () => number, { fails, seed }: { fails: boolean; seed: number }): Step {
  const command = commands[Math.floor(next() * commands.length)] ?? "npm test";
  const text = outputText(seededRandom(seed), fails ? "failing tests" : "passing tests");
  return {
    action: { kind: "run", command },
    outcome: { kind: fails ? "failed command" : "fine", text },
  };
}
