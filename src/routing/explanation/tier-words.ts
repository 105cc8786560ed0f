/** What kind of work a request is: its tier, how sure that is, and what showed it. */
import { isTierName, tiers, type TierName } from "../../workspace/contract/outcomes.ts";
import type { DecisionNotes } from "./decision-notes.ts";
import { minPull, pullTowards } from "./explain-decision.ts";
import { wordsOfSignal } from "./feature-words.ts";
import type { ToldRouting } from "./told-decision.ts";

/** Signals that a sentence names. */
const namedSignals = 3;

const backgroundWords: Readonly<Record<string, string>> = {
  title: "background task (a title)",
  topic: "background task (whether the topic is new)",
  summary: "background task (a summary)",
  command: "background task (a check of a command)",
  suggestion: "background task (suggestions)",
  utility: "background task (a small task of the client)",
  probe: "a test of the connection",
  stated: "background task, as the client says",
  "side request": "background task of an unknown kind",
  "small model": "the client asked for a small model",
  safety: "the client judges what an agent is about to do",
};

/** One sentence; undefined where the tier is none of the four or nothing is known of it. */
export function tierSentence(routing: ToldRouting, { all }: DecisionNotes): string | undefined {
  const need = routing.tier;
  if (!isTierName(need)) return undefined;
  const tier = capitalized(need);
  const sure = percentOf(routing.confidence);
  if (all.includes("compaction"))
    return `${tier}${sure}: the conversation is summarized to go on (compaction).`;
  const task = all.find((note) => note.startsWith("by="))?.slice("by=".length) ?? "";
  const background = backgroundWords[task];
  if (background !== undefined) return `${tier}${sure}: ${background}.`;
  return (
    wishedTier(routing, need, all) ??
    stuckTier(routing, need, all) ??
    agentStart(routing, need, all) ??
    scored(routing, need)
  );
}

/** The client asked for a stronger or a weaker model than the request showed. */
function wishedTier(
  routing: ToldRouting,
  need: TierName,
  notes: readonly string[],
): string | undefined {
  const bound = notes.map((note) => /^(floor|cap)=\w+ \((.*)\)$/.exec(note)).find(Boolean);
  const [, kind, wishes] = bound ?? [];
  if (kind === undefined || wishes === undefined) return undefined;
  const asked = inWords(wishes.split(", ").map((wish) => wishWords(wish, kind)));
  const at = kind === "floor" ? "at least" : "at most";
  return `${capitalized(need)} ${at}: the client asked for ${asked}${looks(routing)}.`;
}

function wishWords(wish: string, kind: string): string {
  if (wish.startsWith("effort=")) return `${wish.slice("effort=".length)} effort`;
  if (wish === "thinking budget")
    return `a ${kind === "floor" ? "large" : "small"} thinking budget`;
  return wish === "ultrathink" ? "“ultrathink”" : wish;
}

/** In rows of the versions that raised the tier. */
function stuckTier(
  routing: ToldRouting,
  need: TierName,
  notes: readonly string[],
): string | undefined {
  const found = notes.map((note) => /^failing=(\d+) repeating=(\d+)/.exec(note)).find(Boolean);
  if (found === undefined || found === null) return undefined;
  const failures = Number(found[1]);
  const why =
    failures >= 3
      ? `${failures} of the last tool results failed`
      : `the same tool call came ${found[2]} times`;
  return `${capitalized(need)}, a tier up because the work is stuck: ${why}${looks(routing)}.`;
}

/** An agent's work begins at a tier that its words alone would not have. */
function agentStart(
  routing: ToldRouting,
  need: TierName,
  notes: readonly string[],
): string | undefined {
  if (notes.includes("start=search"))
    return `${capitalized(need)}: the agent only looks for things.`;
  if (!notes.includes("start=agent") || likeliest(routing.p)?.tier === need) return undefined;
  return `${capitalized(need)}: agents begin here, and failing work goes up${looks(routing)}.`;
}

function looks({ p }: ToldRouting): string {
  const likely = likeliest(p);
  return likely === undefined ? "" : ` (by itself it looks ${likely.tier}, ${likely.share})`;
}

function scored(routing: ToldRouting, need: TierName): string {
  const tier = capitalized(need);
  const likely = likeliest(routing.p);
  if (likely === undefined || likely.tier === need)
    return `${tier}${percentOf(routing.confidence)}: ${signalWords(routing, need)}.`;
  const isSafe = tiers.indexOf(likely.tier) < tiers.indexOf(need);
  const about = signalWords(routing, isSafe ? need : likely.tier);
  const why = isSafe ? "to be safe" : "to save cost";
  return `${tier} ${why} (${likely.tier} is likelier, ${likely.share}): ${about}.`;
}

function likeliest(p: readonly number[] = []): { tier: TierName; share: string } | undefined {
  const most = Math.max(...p);
  const tier = tiers[p.indexOf(most)];
  return tier === undefined ? undefined : { tier, share: shareOf(most) };
}

/** The strongest signals of what the request has; what it lacks counts too, but tells a reader little. */
function signalWords({ contributions = [] }: ToldRouting, need: TierName): string {
  const rank = tiers.indexOf(need);
  const words = contributions
    .map(({ name, bin, tiers: addends }) => ({
      words: wordsOfSignal(name, bin),
      pull: pullTowards(rank, addends),
    }))
    .filter(({ pull }) => pull >= minPull)
    .sort((a, b) => b.pull - a.pull)
    .flatMap((signal) => signal.words ?? []);
  const named = [...new Set(words)].slice(0, namedSignals);
  if (named.length > 0) return inWords(named);
  return rank < 2 ? "nothing in it calls for a stronger model" : "by the request as a whole";
}

function percentOf(share: number | undefined): string {
  return share === undefined ? "" : ` (${shareOf(share)})`;
}

function shareOf(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `design, code and analysis` */
export function inWords(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}
