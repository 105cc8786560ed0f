/** What measured figures come to: requests of one machine, and dollars on the platform. */
import { median, type Sample } from "./measure.ts";
import { tableOf } from "./tables.ts";

/** Requests and events that one machine carries, by the measured throughput. */
export function capacityTable(limits: readonly Sample[]): string {
  const throughput = median(limits.map((sample) => sample.throughput));
  const cpu = median(limits.flatMap((sample) => sample.cpu ?? []));
  const bulk = median(limits.map((sample) => sample.bulk));
  const rows = [
    ["whole answers a second, as measured beside client and provider", throughput],
    ["whole answers a second of one core for the gateway alone (calculated from CPU)", 1e6 / cpu],
    ["events of streams a second", bulk],
  ] as const;
  return tableOf(
    ["one machine, limits on", "carries"],
    rows.map(([what, count]) => [what, shortened(count)]),
  );
}

/** Two digits say enough of what varies with the machine. */
function shortened(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en-US");
}

/** Published prices, dollars a million. */
const prices = { request: 0.3, cpuMillisecond: 0.02, objectCall: 0.15, row: 1 };
/** As `calls-a-request` and `rows-written` in test/workspace count them. */
const counted = { calls: 3, rows: 5 };

/** What a million requests cost beside what providers charge. */
export function dollarTable(limits: readonly Sample[]): string {
  const cpu = median(limits.flatMap((sample) => sample.cpu ?? [])) / 1000;
  const rows = [
    ["Worker: request", "1", prices.request],
    ["Worker: CPU", `${cpu.toFixed(2)} ms`, cpu * prices.cpuMillisecond],
    ["objects: calls", String(counted.calls), counted.calls * prices.objectCall],
    ["objects: rows written", String(counted.rows), counted.rows * prices.row],
  ] as const;
  const together = rows.reduce((sum, [, , dollars]) => sum + dollars, 0);
  return tableOf(
    ["", "units a request", "dollars a million"],
    [
      ...rows.map(([what, units, dollars]) => [what, units, dollars.toFixed(2)]),
      ["**together**, time in memory aside", "", together.toFixed(2)],
    ],
  );
}
