/** How often a request and its translation get the same tier. */
import { readFileSync } from "node:fs";
import { samplesOf } from "./examples.ts";
import { predict } from "./predict.ts";
import { groupedBy, sumOf } from "./statistics.ts";
import type { FittedTables } from "./tables.ts";

/** One request in several languages. */
interface TranslatedRequest {
  readonly name: string;
  /** Kind of work. */
  readonly kind: string;
  /** The ask by language. */
  readonly asks: Readonly<Record<string, string>>;
}

const file = "test/routing/translations.json";

/** Share of pairs of translations with one tier, by kind of work; "all" of all pairs. */
export function translationAgreement(tables: FittedTables): Map<string, number> {
  // The file is the project's own: its shape is not checked.
  const requests = JSON.parse(readFileSync(file, "utf8")) as readonly TranslatedRequest[];
  const counts = requests.map((request) => ({
    kind: request.kind,
    ...agreeingPairs(request, tables),
  }));
  const share = (of: typeof counts): number =>
    sumOf(of, ({ same }) => same) / sumOf(of, ({ pairs }) => pairs);
  const kinds = [...groupedBy(counts, ({ kind }) => kind)];
  return new Map([
    ["all", share(counts)],
    ...kinds.map(([kind, of]) => [kind, share(of)] as const),
  ]);
}

function agreeingPairs(
  { name, asks }: TranslatedRequest,
  tables: FittedTables,
): { pairs: number; same: number } {
  const samples = samplesOf(
    Object.entries(asks).map(([lang, content]) => ({
      id: `${name}/${lang}`,
      source: "translations",
      lang,
      request: { model: "auto", messages: [{ role: "user", content }] },
    })),
  );
  const ranks = samples.map((sample) => predict(sample, tables).rank);
  const same = sumOf(ranks, (rank) => ranks.filter((other) => other === rank).length - 1) / 2;
  return { pairs: (ranks.length * (ranks.length - 1)) / 2, same };
}
