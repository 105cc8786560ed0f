/** Every metric of `GET /metrics` that is kept between scrapes: name, labels, what it says. Data only. */

interface FamilyBase {
  /** In Prometheus's words: base units, counters end in `_total`. */
  readonly name: string;
  readonly help: string;
  /** In the order in which values are given. */
  readonly labels: readonly string[];
}

export interface CounterFamily extends FamilyBase {
  readonly type: "counter";
}

export interface HistogramFamily extends FamilyBase {
  readonly type: "histogram";
  /** Upper bounds, ascending, without the infinite one. */
  readonly buckets: readonly number[];
}

export interface GaugeFamily extends FamilyBase {
  readonly type: "gauge";
}

export type Family = CounterFamily | HistogramFamily | GaugeFamily;

/** Seconds in which models answer. */
const answerTimes = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;
/** Seconds of the gateway's own work. The runtime's clock has steps of a millisecond: nothing is finer. */
const ownTimes = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;

/** Counters, one line each: of requests, of what they used, of how calls of providers ended. */
export const counters = {
  requests: {
    type: "counter",
    name: "gateway_requests_total",
    help: "Requests that ended, by the endpoint's format or operation, by the model that answered or was tried last, by status class and outcome (ok, fallback, failed, blocked, left).",
    labels: ["format", "provider", "model", "status", "outcome"],
  },
  failures: {
    type: "counter",
    name: "gateway_failures_total",
    help: "Requests that failed, by cause: the failure of the last attempt (status, stated, refused, reset, cut, empty, html, wrong_type, redirect, timeout, left) or the M-code of the gateway's own refusal.",
    labels: ["format", "provider", "cause"],
  },
  blocks: {
    type: "counter",
    name: "gateway_blocks_total",
    help: "Requests that a limit, window or quota refused, by M-code and by the node whose limit it was (none: no limit of a node).",
    labels: ["code", "node"],
  },
  attempts: {
    type: "counter",
    name: "gateway_attempts_total",
    help: "Calls to providers by how they ended; neutral: the client left, or the request itself was at fault.",
    labels: ["provider", "model", "outcome"],
  },
  fallbacks: {
    type: "counter",
    name: "gateway_fallbacks_total",
    help: "Requests that a fallback answered, by the model that answered.",
    labels: ["provider", "model"],
  },
  tokens: {
    type: "counter",
    name: "gateway_tokens_total",
    help: "Tokens as they are counted. cached and cache_write are part of input, reasoning of output: add up only input and output.",
    labels: ["provider", "model", "kind"],
  },
  cost: {
    type: "counter",
    name: "gateway_cost_usd_total",
    help: "Cost in US dollars, as it is counted; models without a known price count as 0.",
    labels: ["provider", "model"],
  },
} as const satisfies Record<string, CounterFamily>;

/** Histograms, in seconds. */
export const histograms = {
  duration: {
    type: "histogram",
    name: "gateway_request_duration_seconds",
    help: "Time from a request's arrival to its end; for streams to their last byte.",
    labels: ["provider", "model"],
    buckets: answerTimes,
  },
  firstContent: {
    type: "histogram",
    name: "gateway_time_to_first_token_seconds",
    help: "Time from a request's arrival to the first content of its streamed response.",
    labels: ["provider", "model"],
    buckets: answerTimes,
  },
  overhead: {
    type: "histogram",
    name: "gateway_added_overhead_seconds",
    help: "Time that the gateway itself takes before the first call to a provider: identifying, planning and choosing, without reading the body and without admission.",
    labels: [],
    buckets: ownTimes,
  },
  admission: {
    type: "histogram",
    name: "gateway_admission_seconds",
    help: "Time of the workspace's call that admits a request: window, slot, quota and budgets.",
    labels: [],
    buckets: ownTimes,
  },
} as const satisfies Record<string, HistogramFamily>;

/** What is read off when it is asked for. */
export const gauges = {
  inFlight: {
    type: "gauge",
    name: "gateway_requests_in_flight",
    help: "Generation requests that are being served.",
    labels: [],
  },
  streams: {
    type: "gauge",
    name: "gateway_streams_open",
    help: "Responses that are being streamed.",
    labels: [],
  },
  memoryUsed: {
    type: "gauge",
    name: "gateway_body_memory_used_bytes",
    help: "Memory that the bodies of running requests use.",
    labels: [],
  },
  memoryBudget: {
    type: "gauge",
    name: "gateway_body_memory_budget_bytes",
    help: "Memory that the bodies of running requests may use together.",
    labels: [],
  },
  cooling: {
    type: "gauge",
    name: "gateway_cooling_models",
    help: "Models in cool-down, counted for each workspace.",
    labels: ["provider", "model"],
  },
  sinkQueue: {
    type: "gauge",
    name: "gateway_sink_queue_length",
    help: "Items that wait to be sent, by sink.",
    labels: ["sink"],
  },
  sinkSent: {
    type: "counter",
    name: "gateway_sink_sent_total",
    help: "Items sent, by sink.",
    labels: ["sink"],
  },
  sinkDropped: {
    type: "counter",
    name: "gateway_sink_dropped_total",
    help: "Items dropped because they did not fit or could not be sent, by sink.",
    labels: ["sink"],
  },
  series: {
    type: "gauge",
    name: "gateway_series",
    help: "Lines in the metrics of requests; beyond a limit, models and providers count as other.",
    labels: [],
  },
  startTime: {
    type: "gauge",
    name: "gateway_start_time_seconds",
    help: "When the process began to serve, as a Unix time; counters started at 0 then.",
    labels: [],
  },
  buildInfo: {
    type: "gauge",
    name: "gateway_build_info",
    help: "Always 1, with the gateway's version as label.",
    labels: ["version"],
  },
} as const satisfies Record<string, GaugeFamily | CounterFamily>;
