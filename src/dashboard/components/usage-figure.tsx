/** A chart that the script draws, with its numbers as a table. */
import type { ChartSpan, UsageChart } from "../shared/usage-chart.ts";
import { bucketTime, count, dollars, milliseconds } from "../shared/readable-values.ts";
import { Table } from "./display.tsx";

interface UsageFigureProps {
  /** Unique on the page. */
  id: string;
  caption: string;
  chart: UsageChart;
  unit: "" | "$" | "ms";
  by: ChartSpan["by"];
  timezone: string;
}

const formats = { "": count, $: dollars, ms: milliseconds } as const;

/** A chart under its caption. */
export function UsageFigure({ id, caption, chart, unit, by, timezone }: UsageFigureProps) {
  const show = (value: number | null | undefined): string =>
    value === null || value === undefined ? "–" : formats[unit](value);
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      <div
        class="chart"
        id={id}
        data-chart={JSON.stringify(chart)}
        data-unit={unit}
        data-zone={timezone}
      ></div>
      <details id={`${id}-numbers`} class="chart-numbers">
        <summary>
          Numbers<span class="hidden"> of {caption}</span>
        </summary>
        <Table
          caption={`${caption} over time`}
          head={["Time", ...chart.series.map(({ name }) => ({ label: name, class: "num" }))]}
        >
          {chart.times.map((time, index) => (
            <tr>
              <td class="nowrap">{bucketTime(time * 1000, timezone, by === "day")}</td>
              {chart.series.map(({ values }) => (
                <td class="num">{show(values[index])}</td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}
