/** The tables of the benchmark. */
import { groupedBy, meanOf, sumOf } from "../training/statistics.ts";
import {
  type Figure,
  lostPoints,
  pairsOf,
  relativeCost,
  shareByModel,
  solvedOfShown,
  solvedShare,
  tasksOf,
  usdByRole,
  usdOf,
} from "./figures.ts";
import type { ModelSet } from "./model-sets.ts";
import type { SessionResult } from "./session.ts";

export interface PolicyResult {
  readonly policy: string;
  readonly sessions: readonly SessionResult[];
}

/** The published table of one set of models; the first policy is what the others are compared with. */
export function resultTable(set: ModelSet, results: readonly PolicyResult[]): string {
  const [strong] = results;
  const sessions = strong?.sessions ?? [];
  const tasks = sessions.flatMap(tasksOf).length;
  const prices = set.models.map(
    ({ name, prices: { input, output } }) => `${name} $${input}/${output}`,
  );
  const rows = results.map(({ policy, sessions: own }) => {
    const pairs = pairsOf(own, sessions);
    const usd = meanOf(own, usdOf).toFixed(2);
    const cells = [
      policy,
      `$${usd}`,
      shown(relativeCost(pairs), 2),
      percent(solvedShare(pairs)),
      percent(solvedOfShown(pairs)),
      shown(lostPoints(pairs), 1),
      meanOf(own, ({ switches }) => switches).toFixed(1),
      meanOf(own, ({ escalations }) => escalations).toFixed(1),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const first = results[0]?.policy ?? "";
  return [
    `${sessions.length} sessions with ${tasks} tasks, ${set.name} (${prices.join(", ")}):`,
    "",
    `| | A session | Cost (${first} = 1) | Solved | Solved of those that show their failure | Points below ${first} | Switches | Upward |`,
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function shown({ value, low, high }: Figure, digits: number): string {
  const [a, b, c] = [value, low, high].map((number) => number.toFixed(digits));
  return `${a} (${b} to ${c})`;
}

function percent({ value, low, high }: Figure): string {
  const [a, b, c] = [value, low, high].map((share) => (share * 100).toFixed(1));
  return `${a}% (${b} to ${c})`;
}

/** Where the dollars went, and what each ability's tasks came to. */
export function details(results: readonly PolicyResult[]): string {
  return results
    .map(({ policy, sessions }) => {
      const roles = [...usdByRole(sessions)].map(([role, usd]) => `${role} $${usd.toFixed(3)}`);
      const models = [...shareByModel(sessions)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([model, share]) => `${model} ${(share * 100).toFixed(0)}%`);
      const tasks = sessions.flatMap(tasksOf);
      const needs = ([1, 2, 3, 4] as const).map((need) => {
        const own = tasks.filter((task) => task.need === need);
        return `${sumOf(own, ({ solved }) => Number(solved))}/${own.length}`;
      });
      const modes = [
        ...groupedBy(
          tasks.filter(({ need }) => need === 2 || need === 3),
          ({ failure }) => failure,
        ),
      ]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([mode, own]) => `${mode} ${sumOf(own, ({ solved }) => Number(solved))}/${own.length}`,
        );
      const tokens = sessions.flatMap(({ served }) => served);
      const input = meanOf(tokens, ({ uncached, read, written }) => uncached + read + written);
      const read = sumOf(tokens, (request) => request.read);
      const all = sumOf(tokens, ({ uncached, read: own, written }) => uncached + own + written);
      return [
        `${policy}:`,
        `  a session: ${roles.join(", ")}`,
        `  requests: ${models.join(", ")}; ${(tokens.length / sessions.length).toFixed(1)} a session, ${(input / 1000).toFixed(1)}k tokens each, ${((100 * read) / all).toFixed(0)}% read from caches`,
        `  solved by the ability that they need, 1 to 4: ${needs.join(", ")}`,
        `  solved of those that need 2 or 3, by how a weaker model fails: ${modes.join(", ")}`,
      ].join("\n");
    })
    .join("\n");
}

/** The sessions in which a policy does worst: unsolved tasks that the first policy solves, then dollars lost. */
export function worstSessions(results: readonly PolicyResult[], count: number): string {
  const [first, ...others] = results;
  const lines = others.flatMap(({ policy, sessions }) => {
    const rated = sessions.map((session, at) => {
      const other = first?.sessions[at] ?? session;
      const unsolved = session.asks.filter(
        ({ counts, solved }, ask) => counts && !solved && other.asks[ask]?.solved === true,
      );
      return { session, unsolved, more: usdOf(session) - usdOf(other) };
    });
    const worst = rated
      .toSorted((a, b) => b.unsolved.length - a.unsolved.length || b.more - a.more)
      .slice(0, count);
    return [
      `${policy}, worst sessions:`,
      ...worst.map(({ session: { number, client, switches }, unsolved, more }) => {
        const lost = unsolved.map(({ kind, need, failure }) => `${kind} needs ${need}, ${failure}`);
        return `  ${number} ${client}: ${more < 0 ? "-" : "+"}$${Math.abs(more).toFixed(2)}, ${switches} switches; unsolved: ${lost.join("; ") || "none"}`;
      }),
    ];
  });
  return lines.join("\n");
}
