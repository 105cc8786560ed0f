/** The figures of all judged makers: together, their mean, their spread, and the worst. */
import type { JudgedMaker } from "./judge-makers.ts";
import { meanOf, spreadOf } from "./statistics.ts";
import { tierFigures, type TierFigures } from "./tier-figures.ts";

/** The figures that are printed; of each the direction in which it gets worse. */
export const printedFigures = {
  under: 1,
  over: 1,
  severe: 1,
  macroF1: -1,
  costVsOracle: 1,
} as const satisfies Partial<Record<keyof TierFigures, 1 | -1>>;

type FigureName = keyof typeof printedFigures;

/** One figure over all makers. */
export interface FigureSummary {
  /** Over all requests: large makers count more. */
  readonly all: number;
  /** Over the makers, each of equal weight. */
  readonly mean: number;
  readonly spread: number;
  readonly worst: number;
  /** Name of the maker with the worst figure. */
  readonly worstMaker: string;
}

/** Summaries of the makers that have labelled requests. */
export function makerFigures(judged: readonly JudgedMaker[]): Record<FigureName, FigureSummary> {
  const makers = judged
    .map(({ name, predictions }) => ({ name, figures: tierFigures(predictions) }))
    .filter(({ figures }) => figures.n > 0);
  const all = tierFigures(judged.flatMap(({ predictions }) => predictions));
  const summary = (figure: FigureName): FigureSummary => {
    const [worst] = makers.toSorted(
      (a, b) => (b.figures[figure] - a.figures[figure]) * printedFigures[figure],
    );
    return {
      all: all[figure],
      mean: meanOf(makers, ({ figures }) => figures[figure]),
      spread: spreadOf(makers, ({ figures }) => figures[figure]),
      worst: worst?.figures[figure] ?? NaN,
      worstMaker: worst?.name ?? "",
    };
  };
  return {
    under: summary("under"),
    over: summary("over"),
    severe: summary("severe"),
    macroF1: summary("macroF1"),
    costVsOracle: summary("costVsOracle"),
  };
}
