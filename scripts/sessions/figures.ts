/** What the sessions of a policy came to, with intervals by drawing the same sessions for both policies again and again. */
import { seededRandom } from "../training/random.ts";
import { meanOf, sumOf } from "../training/statistics.ts";
import type { CostRole } from "./conversation.ts";
import type { AskResult, SessionResult } from "./session.ts";

/** A figure, and between which values it lies in 95 of 100 draws of sessions. */
export interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const draws = 2000;

/** A figure of pairs of sessions. The same sessions give the same interval. */
export function figureOf<T>(sessions: readonly T[], of: (drawn: readonly T[]) => number): Figure {
  const next = seededRandom(17);
  const values: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const drawn = sessions.flatMap(() => sessions[Math.floor(next() * sessions.length)] ?? []);
    values.push(of(drawn));
  }
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.floor(share * (draws - 1))] ?? Number.NaN;
  return { value: of(sessions), low: at(0.025), high: at(0.975) };
}

/** The dollars of a session. */
export function usdOf({ served }: SessionResult): number {
  return sumOf(served, ({ usd }) => usd);
}

/** The same session under two policies. */
export interface Pair {
  readonly usd: number;
  readonly strongUsd: number;
  readonly tasks: readonly AskResult[];
  readonly strongTasks: readonly AskResult[];
}

export function pairsOf(
  results: readonly SessionResult[],
  strong: readonly SessionResult[],
): Pair[] {
  return results.map((result, at) => {
    const other = strong[at] ?? result;
    return {
      usd: usdOf(result),
      strongUsd: usdOf(other),
      tasks: tasksOf(result),
      strongTasks: tasksOf(other),
    };
  });
}

/** What counts as solved or not. */
export function tasksOf({ asks }: SessionResult): AskResult[] {
  return asks.filter(({ counts }) => counts);
}

/** Cost as a share of the strong model's. */
export function relativeCost(pairs: readonly Pair[]): Figure {
  return figureOf(
    pairs,
    (drawn) => sumOf(drawn, ({ usd }) => usd) / sumOf(drawn, ({ strongUsd }) => strongUsd),
  );
}

/** The share of tasks that are solved in the end. */
export function solvedShare(pairs: readonly Pair[]): Figure {
  return figureOf(pairs, (drawn) => shareSolved(drawn.flatMap(({ tasks }) => tasks)));
}

/** Without those whose failure nobody can see. */
export function solvedOfShown(pairs: readonly Pair[]): Figure {
  return figureOf(pairs, (drawn) => shareSolved(drawn.flatMap(({ tasks }) => tasks).filter(shows)));
}

/** How many points fewer tasks than the strong model solves, of those that show their failure. */
export function lostPoints(pairs: readonly Pair[]): Figure {
  return figureOf(
    pairs,
    (drawn) =>
      100 *
      (shareSolved(drawn.flatMap(({ strongTasks }) => strongTasks).filter(shows)) -
        shareSolved(drawn.flatMap(({ tasks }) => tasks).filter(shows))),
  );
}

function shows({ need, failure }: AskResult): boolean {
  return need === 1 || failure !== "silent";
}

function shareSolved(tasks: readonly AskResult[]): number {
  return meanOf(tasks, ({ solved }) => Number(solved));
}

/** Dollars a session by what the requests were for. */
export function usdByRole(results: readonly SessionResult[]): Map<CostRole, number> {
  const sums = new Map<CostRole, number>();
  for (const { role, usd } of results.flatMap(({ served }) => served))
    sums.set(role, (sums.get(role) ?? 0) + usd / results.length);
  return sums;
}

/** The share of requests that each model answered. */
export function shareByModel(results: readonly SessionResult[]): Map<string, number> {
  const served = results.flatMap((result) => result.served);
  const shares = new Map<string, number>();
  for (const { model } of served)
    shares.set(model.name, (shares.get(model.name) ?? 0) + 1 / served.length);
  return shares;
}
