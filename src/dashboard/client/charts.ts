/**
 * Stacked bars and lines over time, drawn by uPlot: at 50 KB it is the smallest maintained library with time axes, a
 * cursor and a legend that follows it. It draws thousands of points in milliseconds, and needs no inline styles, which
 * the content policy forbids.
 */
import UPlot from "uplot";

interface Series {
  name: string;
  values: (number | null)[];
  colour?: string;
}

interface Chart {
  kind: "bars" | "lines";
  times: number[];
  series: Series[];
}

/** A place on the page and what is drawn there. */
interface Drawn {
  plot: UPlot;
  /** As it is shown now; the legend reads its values. */
  chart: Chart;
}

const drawn = new Map<HTMLElement, Drawn>();
let resized: ResizeObserver | undefined;

/** Draws every chart of the page, and again when its size or the colour scheme changes. */
export function drawCharts(): void {
  drawUnder(document);
  // Colours come from the style sheet: redraw when the scheme changes.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    // Of a copy: what is drawn again comes to the map's end, and the loop would never leave it.
    const places = [...drawn.keys()];
    for (const place of places) redraw(place);
  });
}

/** Moves charts that are drawn already to their places in the new content; the answer shows the new numbers in them. */
export function adoptCharts(content: DocumentFragment): () => void {
  const moved: HTMLElement[] = [];
  for (const fresh of content.querySelectorAll<HTMLElement>("[data-chart]")) {
    const old = document.getElementById(fresh.id);
    if (old === null || !drawn.has(old)) continue;
    old.dataset["chart"] = fresh.dataset["chart"] ?? "";
    fresh.replaceWith(old);
    moved.push(old);
  }
  return () => {
    for (const place of moved) update(place);
    for (const place of drawn.keys()) if (!place.isConnected) remove(place);
    drawUnder(document);
  };
}

function drawUnder(root: ParentNode): void {
  for (const place of root.querySelectorAll<HTMLElement>("[data-chart]"))
    if (!drawn.has(place)) draw(place);
}

function remove(place: HTMLElement): void {
  drawn.get(place)?.plot.destroy();
  drawn.delete(place);
  resized?.unobserve(place);
}

function redraw(place: HTMLElement): void {
  remove(place);
  draw(place);
}

/** Shows new numbers in the same chart; one with other series is drawn anew. */
function update(place: HTMLElement): void {
  const known = drawn.get(place);
  const chart = chartOf(place);
  const names = (of: Chart): string => JSON.stringify(of.series.map(({ name }) => name));
  if (known === undefined || names(known.chart) !== names(chart)) {
    redraw(place);
    return;
  }
  known.chart = chart;
  known.plot.setData(dataOf(chart));
}

function chartOf(place: HTMLElement): Chart {
  // From the server's own chart.
  return JSON.parse(place.dataset["chart"] ?? "") as Chart;
}

function draw(place: HTMLElement): void {
  const chart = chartOf(place);
  const unit = place.dataset["unit"] ?? "";
  const colour = (name: string) => resolvedColour(place, name);
  const zone = place.dataset["zone"] ?? "UTC";
  const bucket = (chart.times[1] ?? 3600) - (chart.times[0] ?? 0);
  const daily = bucket > 7200;
  const half = bucket / 2;
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const colours = chart.series.map((series, index) =>
    resolvedColour(place, series.colour ?? `--chart-${(index % 6) + 1}`),
  );
  const show = (value: number) => withUnit(value, unit);
  const plot = new UPlot(
    {
      ...sizeOf(place),
      padding: [8, 8, 0, 0],
      cursor: { y: false, points: { show: chart.kind === "lines" } },
      legend: { live: true, markers: { fill: (_plot, index) => colours[index - 1] ?? "" } },
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), zone),
      scales: {
        x: { range: (_plot, min, max) => [min - half, max + half] },
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis,
          space: 72,
          values: (_plot, times) => times.map((time) => tick(time, zone, daily)),
        },
        { ...axis, size: 56, values: (_plot, values) => values.map(show) },
      ],
      series: [
        {
          // Nothing is pointed at: the legend names the series alone.
          value: (_plot, seconds) => (seconds === null ? "" : timeOf(seconds, zone)),
        },
        ...chart.series.map(({ name }, index) => ({
          label: name,
          ...styleOf(chart, colours[index] ?? ""),
          // Bars are stacked; the legend shows the series' own value.
          value: (...[, , , at]: [UPlot, number, number, number | null]) => {
            if (at === null) return "";
            const value = drawn.get(place)?.chart.series[index]?.values[at];
            return value === null || value === undefined ? "–" : show(value);
          },
        })),
      ],
    },
    dataOf(chart),
    place,
  );
  drawn.set(place, { plot, chart });
  resized ??= new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target instanceof HTMLElement) drawn.get(target)?.plot.setSize(sizeOf(target));
  });
  resized.observe(place);
}

/** How a series looks: a filled bar, or a line with dots where it stands alone. */
function styleOf({ kind, times }: Chart, colour: string): Omit<UPlot.Series, "label" | "value"> {
  if (kind === "lines") {
    const dots = { show: times.length <= 60, size: 5, fill: colour };
    return { stroke: colour, width: 2, spanGaps: false, points: dots };
  }
  const bars = UPlot.paths.bars?.({ size: [0.72, 40], radius: 0.15 });
  const shape = bars === undefined ? {} : { paths: bars };
  return { fill: colour, stroke: colour, width: 0, points: { show: false }, ...shape };
}

/** A style sheet colour in a form that a canvas understands: it resolves no variables and schemes. */
function resolvedColour(place: HTMLElement, name: string): string {
  place.style.color = `var(${name})`;
  const { color } = getComputedStyle(place);
  place.style.color = "";
  return color;
}

/** The label of a time on the axis; midnight shows its day. */
function tick(seconds: number, timeZone: string, daily: boolean): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(seconds * 1000);
  const hour = format({ hour: "2-digit", minute: "2-digit" });
  return daily || hour === "00:00" ? format({ day: "numeric", month: "short" }) : hour;
}

/** Bars: each series on the sum of those after it. Drawn in this order, lower bars cover the bottoms of higher ones. */
function dataOf({ kind, times, series }: Chart): UPlot.AlignedData {
  if (kind === "lines") return [times, ...series.map(({ values }) => values)];
  const sums = times.map(() => 0);
  const columns: number[][] = [];
  for (const { values } of series.toReversed()) {
    values.forEach((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0)));
    columns.unshift([...sums]);
  }
  return [times, ...columns];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(240, place.clientWidth), height: 190 };
}

/** `$1.2`, `250 ms`, `1.5 s`, `12`. */
function withUnit(value: number, unit: string): string {
  if (unit !== "ms") return `${unit}${shown(value)}`;
  return value < 1000 ? `${shown(value)} ms` : `${shown(value / 1000)} s`;
}

function shown(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) >= 1000)
    return new Intl.NumberFormat("en-US", { notation: "compact" }).format(value);
  return String(Number(value.toPrecision(3)));
}

function timeOf(seconds: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(seconds * 1000);
}
