/**
 * Stacked bars over time, drawn by uPlot: at 50 KB it is the smallest maintained library with time axes, a cursor
 * and a legend that follows it. It draws thousands of points in milliseconds, and needs no inline styles, which the
 * content policy forbids.
 */
import UPlot from "uplot";

interface Chart {
  times: number[];
  series: { name: string; values: number[] }[];
}

const drawn: { place: HTMLElement; plot: UPlot }[] = [];

/** Draws every chart of the page, and again when its size or the colour scheme changes. */
export function drawCharts(): void {
  const places = document.querySelectorAll<HTMLElement>("[data-chart]");
  if (places.length === 0) return;
  for (const place of places) draw(place);
  const resized = new ResizeObserver(() => {
    for (const { place, plot } of drawn) plot.setSize(sizeOf(place));
  });
  for (const place of places) resized.observe(place);
  // Colours come from the style sheet: redraw when the scheme changes.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const { plot } of drawn.splice(0)) plot.destroy();
    for (const place of places) draw(place);
  });
}

function draw(place: HTMLElement): void {
  // From the server's own chart.
  const chart = JSON.parse(place.dataset["chart"] ?? "") as Chart;
  const unit = place.dataset["unit"] ?? "";
  const stacked = stack(chart);
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
  const show = (value: number) => `${unit}${shown(value)}`;
  const bars = UPlot.paths.bars?.({ size: [0.72, 40], radius: 0.15 });
  const plot = new UPlot(
    {
      ...sizeOf(place),
      padding: [8, 8, 0, 0],
      cursor: { y: false, points: { show: false } },
      legend: { live: true },
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
          value: (_plot, seconds) => (seconds === null ? "–" : timeOf(seconds, zone)),
        },
        ...chart.series.map(({ name, values }, index) => ({
          label: name,
          fill: colour(`--chart-${(index % 6) + 1}`),
          stroke: colour(`--chart-${(index % 6) + 1}`),
          width: 0,
          ...(bars !== undefined && { paths: bars }),
          points: { show: false },
          // The bars are stacked; the legend shows the series' own value.
          value: (...[, , , at]: [UPlot, number, number, number | null]) =>
            at === null ? "–" : show(values[at] ?? 0),
        })),
      ],
    },
    stacked,
    place,
  );
  drawn.push({ place, plot });
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

/** Adds each series to the sum of those after it. Drawn in this order, lower bars cover the bottoms of higher ones. */
function stack({ times, series }: Chart): UPlot.AlignedData {
  const sums = times.map(() => 0);
  const columns: number[][] = [];
  for (const { values } of series.toReversed()) {
    values.forEach((value, index) => (sums[index] = (sums[index] ?? 0) + value));
    columns.unshift([...sums]);
  }
  return [times, ...columns];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(240, place.clientWidth), height: 190 };
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
