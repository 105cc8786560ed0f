/** What a maintainer reads about new versions of the clients. */
import type { Difference } from "./compare.ts";

/** How the newest version of a client compares with the recorded one. */
export interface Compared {
  name: string;
  recorded: string;
  newest: string;
  /** By the format that it spoke. */
  differences: Readonly<Record<string, readonly Difference[]>>;
  /** What was wrong with its work. */
  problems: readonly string[];
}

/** Markdown: one section a client, new things first. */
export function reportOf(compared: readonly Compared[]): string {
  return ["# What the newest clients send", ...compared.flatMap(sectionOf)].join("\n");
}

function sectionOf({ name, recorded, newest, differences, problems }: Compared): string[] {
  const ways = Object.entries(differences).filter(([, list]) => list.length > 0);
  return [
    "",
    `## ${name} ${newest}`,
    "",
    `Compared with ${recorded}. Its work ${problems.length === 0 ? "passed" : "FAILED"}.`,
    ...(problems.length > 0 ? ["", ...[...new Set(problems)].map((one) => `- ${one}`)] : []),
    ...(ways.length === 0 ? ["", "It sends what is recorded."] : []),
    ...ways.flatMap(([way, list]) => ["", `### In ${way}`, ...byEndpoint(list)]),
  ];
}

function byEndpoint(list: readonly Difference[]): string[] {
  const endpoints = [...new Set(list.map(({ endpoint }) => endpoint))];
  return endpoints.flatMap((endpoint) => [
    "",
    `\`${endpoint}\``,
    "",
    ...list
      .filter((one) => one.endpoint === endpoint)
      .map(({ kind, what }) => `- ${kind}: ${what}`),
  ]);
}
