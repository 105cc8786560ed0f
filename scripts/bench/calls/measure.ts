/** One round of measurements of one target. */
import { processCpu } from "../process-cpu.ts";
import { connect, microseconds } from "./connection.ts";
import { bulk, paced, requestsOf, type Asked, type Target } from "./target.ts";

/** Microseconds, but for what says otherwise. */
export interface Sample {
  readonly p50: number;
  readonly p99: number;
  /** A request of 100 KB. */
  readonly large: number;
  /** Requests a second with 16 at a time. */
  readonly throughput: number;
  /** CPU of the server's process a request, in the same load; undefined where it is not counted. */
  readonly cpu: number | undefined;
  /** Of eight paced streams. */
  readonly firstByte: number;
  readonly eventDelay: number;
  /** Events a second of four streams that come as fast as they can. */
  readonly bulk: number;
}

const small: Asked = { size: 600 };
const large: Asked = { size: 100_000 };
const counts = { small: 800, large: 120, streams: 8, bulk: 4, parallel: 16 };
/** Milliseconds. */
const loadTime = 1500;
const betweenStreams = 7;

/** The value below which that share of the list lies. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (list: readonly number[]): number => quantile(list, 0.5);

/** Runs everything once. Throws where a request is refused. */
export async function measure(target: Target): Promise<Sample> {
  const next = requestsOf(target);
  const totals = await inTurn(target, () => next(small), counts.small);
  const larges = await inTurn(target, () => next(large), counts.large);
  const load = await underLoad(target, () => next(small));
  const streams = await streamed(target, () => next({ size: 600, stream: paced }), counts.streams);
  const bulks = await streamed(target, () => next({ size: 600, stream: bulk }), counts.bulk);
  return {
    p50: median(totals),
    p99: quantile(totals, 0.99),
    large: median(larges),
    ...load,
    firstByte: streams.firstByte,
    eventDelay: streams.delay,
    bulk: bulks.eventsPerSecond,
  };
}

/** Total times, one request after the other. */
async function inTurn(
  { port }: Target,
  next: () => Buffer,
  count: number,
): Promise<readonly number[]> {
  const connection = connect(port);
  const totals: number[] = [];
  for (let sent = 0; sent < count; sent++) totals.push((await connection.send(next())).total);
  connection.close();
  return totals;
}

async function underLoad(
  { port, pid }: Target,
  next: () => Buffer,
): Promise<Pick<Sample, "throughput" | "cpu">> {
  const cpu = pid === undefined ? 0 : processCpu(pid);
  const since = microseconds();
  const end = since + loadTime * 1000;
  const answered = await Promise.all(
    Array.from({ length: counts.parallel }, async () => {
      const connection = connect(port);
      let sent = 0;
      for (; microseconds() < end; sent++) await connection.send(next());
      connection.close();
      return sent;
    }),
  );
  const requests = answered.reduce((sum, sent) => sum + sent, 0);
  return {
    throughput: requests / ((microseconds() - since) / 1e6),
    cpu: pid === undefined ? undefined : (processCpu(pid) - cpu) / requests,
  };
}

interface Streamed {
  readonly firstByte: number;
  readonly delay: number;
  readonly eventsPerSecond: number;
}

async function streamed({ port }: Target, next: () => Buffer, count: number): Promise<Streamed> {
  const since = microseconds();
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * betweenStreams));
      const connection = connect(port);
      const answered = await connection.send(next());
      connection.close();
      return answered;
    }),
  );
  const delays = answers.flatMap((one) => one.delays);
  return {
    firstByte: median(answers.map((one) => one.firstByte)),
    delay: median(delays),
    eventsPerSecond: delays.length / ((microseconds() - since) / 1e6),
  };
}
