/** Fits the gain: ridge regression in closed form, because there is little to learn from. */
import { scoreCellCount, scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { cellsOf, firstCells, type FittedTables } from "./tables.ts";
import type { TrainingExample } from "./training-example.ts";

type GainTables = Pick<FittedTables, "gain" | "gainBias">;

/** An example with a gain, and the columns in which it has a one. */
interface GainRow {
  readonly columns: readonly number[];
  readonly gain: number;
  readonly weight: number;
}

/** Cells that may predict the gain: one column for each. */
const columnCells = scoreFeatures.flatMap(({ bins, predictsGain }, feature) =>
  predictsGain === true ? bins.map((_bin, at) => (firstCells[feature] ?? 0) + at) : [],
);
const columnOfCell = new Map(columnCells.map((cell, column) => [cell, column]));

/** Logits per unit of probability: the slope of the logit at one half. */
const logitsPerUnit = 4;

/** Fits the tables to the examples with a gain. `decay` is the penalty on large values. */
export function fitGain(examples: readonly TrainingExample[], decay: number): GainTables {
  const rows = rowsOf(examples);
  const gain = new Float64Array(scoreCellCount);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return { gain, gainBias: 0 };
  const { columnMeans, meanGain } = meansOf(rows, total);
  const solution = solve(normalEquations(rows, { columnMeans, meanGain, decay }));
  let gainBias = logitsPerUnit * (meanGain - 0.5);
  solution.forEach((value, column) => {
    gain[columnCells[column] ?? 0] = logitsPerUnit * value;
    gainBias -= logitsPerUnit * value * (columnMeans[column] ?? 0);
  });
  return { gain, gainBias };
}

function rowsOf(examples: readonly TrainingExample[]): GainRow[] {
  return examples.flatMap(({ bins, gain, gainWeight }) => {
    if (gain === undefined) return [];
    const columns = [...cellsOf(bins)].flatMap((cell) => columnOfCell.get(cell) ?? []);
    return { columns, gain, weight: gainWeight };
  });
}

interface GainMeans {
  readonly columnMeans: Float64Array;
  readonly meanGain: number;
}

function meansOf(rows: readonly GainRow[], total: number): GainMeans {
  const columnMeans = new Float64Array(columnCells.length);
  let meanGain = 0;
  for (const { columns, gain, weight } of rows) {
    meanGain += (weight * gain) / total;
    for (const column of columns) addTo(columnMeans, column, weight / total);
  }
  return { columnMeans, meanGain };
}

/** Rows of the centred normal equations; each ends in its right side. */
function normalEquations(
  rows: readonly GainRow[],
  { columnMeans, meanGain, decay }: GainMeans & { readonly decay: number },
): Float64Array[] {
  const size = columnMeans.length;
  const equations = Array.from({ length: size }, (_, at) => {
    const equation = new Float64Array(size + 1);
    equation[at] = decay;
    return equation;
  });
  for (const { columns, gain, weight } of rows) {
    const centred = Float64Array.from(columnMeans, (mean) => -mean);
    for (const column of columns) addTo(centred, column, 1);
    equations.forEach((equation, at) => {
      const scaled = weight * (centred[at] ?? 0);
      for (let k = 0; k < size; k++) addTo(equation, k, scaled * (centred[k] ?? 0));
      addTo(equation, size, scaled * (gain - meanGain));
    });
  }
  return equations;
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
