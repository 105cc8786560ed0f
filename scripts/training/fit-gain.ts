/** Fits the gain: ridge regression in closed form, because there is little to learn from. */
import { scoreCellCount, scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { supportedFeatures } from "./gain-support.ts";
import { sumOf } from "./statistics.ts";
import { cellsOf, firstCells, type FittedTables } from "./tables.ts";
import type { TrainingExample } from "./training-example.ts";

type GainTables = Pick<FittedTables, "gain" | "gainBias">;

/** An example with a gain: the columns in which it has a one, and those of which it says anything. */
interface GainRow {
  readonly columns: readonly number[];
  readonly known: readonly boolean[];
  readonly gain: number;
  readonly weight: number;
}

/** Features that may predict the gain, and their cells: one column for each. */
const gainFeatures = scoreFeatures.flatMap(({ predictsGain }, feature) =>
  predictsGain === true ? [feature] : [],
);
const columns = gainFeatures.flatMap((feature) =>
  (scoreFeatures[feature]?.bins ?? []).map((_bin, bin) => ({
    feature,
    cell: (firstCells[feature] ?? 0) + bin,
  })),
);
const columnOfCell = new Map(columns.map(({ cell }, column) => [cell, column]));

/** Logits per unit of probability: the slope of the logit at one half. */
const logitsPerUnit = 4;

/** Fits the tables to the examples with a gain. `decay` is the penalty on large values. */
export function fitGain(examples: readonly TrainingExample[], decay: number): GainTables {
  const rows = rowsOf(examples);
  const gain = new Float64Array(scoreCellCount);
  if (rows.length === 0) return { gain, gainBias: 0 };
  const means = meansOf(rows);
  const solution = solve(normalEquations(rows, means, decay));
  let gainBias = logitsPerUnit * (means.gain - 0.5);
  columns.forEach(({ cell }, column) => {
    const value = logitsPerUnit * (solution[column] ?? 0);
    gain[cell] = value;
    gainBias -= value * (means.columns[column] ?? 0);
  });
  return { gain, gainBias };
}

/** Of a feature that only one pair of models supports, measured results say nothing: estimates alone decide. */
function rowsOf(examples: readonly TrainingExample[]): GainRow[] {
  const supported = new Set(supportedFeatures(examples, gainFeatures));
  const all = columns.map(() => true);
  const supportedColumns = columns.map(({ feature }) => supported.has(feature));
  return examples.flatMap(({ bins, gain, gainWeight, pair }) => {
    if (gain === undefined) return [];
    const ones = [...cellsOf(bins)].flatMap((cell) => columnOfCell.get(cell) ?? []);
    const known = pair === undefined ? all : supportedColumns;
    return { columns: ones, known, gain, weight: gainWeight };
  });
}

interface GainMeans {
  /** Of each column, over the rows that say anything of it. */
  readonly columns: Float64Array;
  readonly gain: number;
}

function meansOf(rows: readonly GainRow[]): GainMeans {
  const means = new Float64Array(columns.length);
  const totals = new Float64Array(columns.length);
  for (const { columns: ones, known, weight } of rows) {
    for (let column = 0; column < totals.length; column++)
      if (known[column] === true) addTo(totals, column, weight);
    for (const column of ones) if (known[column] === true) addTo(means, column, weight);
  }
  const total = sumOf(rows, ({ weight }) => weight);
  return {
    columns: means.map((sum, column) => sum / Math.max(totals[column] ?? 0, Number.MIN_VALUE)),
    gain: sumOf(rows, ({ gain, weight }) => gain * weight) / total,
  };
}

/** Rows of the centred normal equations; each ends in its right side. */
function normalEquations(
  rows: readonly GainRow[],
  means: GainMeans,
  decay: number,
): Float64Array[] {
  const size = columns.length;
  const equations = Array.from({ length: size }, (_, at) => {
    const equation = new Float64Array(size + 1);
    equation[at] = decay;
    return equation;
  });
  for (const row of rows) {
    const centred = centredRow(row, means);
    equations.forEach((equation, at) => {
      const scaled = row.weight * (centred[at] ?? 0);
      if (scaled === 0) return;
      for (let k = 0; k < size; k++) addTo(equation, k, scaled * (centred[k] ?? 0));
      addTo(equation, size, scaled * (row.gain - means.gain));
    });
  }
  return equations;
}

/** The columns of a row less their means: 0 where the row says nothing. */
function centredRow({ columns: ones, known }: GainRow, means: GainMeans): Float64Array {
  const centred = means.columns.map((mean, column) => (known[column] === true ? -mean : 0));
  for (const column of ones) if (known[column] === true) addTo(centred, column, 1);
  return centred;
}

/** Gaussian elimination with partial pivoting. Changes the equations. */
function solve(equations: Float64Array[]): Float64Array {
  const size = equations.length;
  for (let column = 0; column < size; column++) {
    const pivot = pivotOf(equations, column);
    for (const equation of equations.slice(column + 1)) {
      const factor = (equation[column] ?? 0) / (pivot[column] ?? 0);
      if (factor === 0) continue;
      for (let k = column; k <= size; k++) addTo(equation, k, -(factor * (pivot[k] ?? 0)));
    }
  }
  const solution = new Float64Array(size);
  for (const [at, equation] of [...equations.entries()].toReversed()) {
    let rest = equation[size] ?? 0;
    for (let k = at + 1; k < size; k++) rest -= (equation[k] ?? 0) * (solution[k] ?? 0);
    solution[at] = rest / (equation[at] ?? 0);
  }
  return solution;
}

/** Swaps the row with the largest value in a column into its place. */
function pivotOf(equations: Float64Array[], column: number): Float64Array {
  const size = (row: number): number => Math.abs(equations[row]?.[column] ?? 0);
  let best = column;
  for (let row = column + 1; row < equations.length; row++) if (size(row) > size(best)) best = row;
  const [pivot, current] = [equations[best], equations[column]];
  if (pivot === undefined || current === undefined) throw new RangeError(`no row ${column}`);
  equations[best] = current;
  equations[column] = pivot;
  return pivot;
}

function addTo(values: Float64Array, at: number, value: number): void {
  values[at] = (values[at] ?? 0) + value;
}
