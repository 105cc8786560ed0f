/**
 * One JSON line a request on standard output: ids, names, statuses, times, tokens and cost. Never a text: no messages, no
 * errors of providers (they quote prompts), no reasons, no names that a client made up.
 */
import { isoTime } from "../lib/iso-time.ts";
import type { LogLevel } from "../store/log-settings.ts";
import type { BookedUsage } from "../workspace/contract/request-record.ts";
import type {
  FinishedIdentified,
  FinishedRequest,
  FinishedUnidentified,
  StageTimes,
} from "./finished-request.ts";
import { finishedOutcome } from "./outcome.ts";
import { namedModel } from "./named-model.ts";
import type { Background, Sink, SinkStats } from "./sink.ts";

/** Bytes of a line: one that fits into 4,096 with its end is written to a pipe whole, or not at all where that is full. */
const longestLine = 4000;
/** Characters of a name, and of each of the client's own texts: session, agent, tags. */
const longestText = 200;
const mostTags = 8;
const mostAttempts = 16;
/** Lines in a second about requests without a good key, with `LOG=errors`: others are counted. */
const mostStrangers = 10;
const second = 1000;

/** What the sink stands on. */
export interface LineOutput {
  /** Writes one line. */
  readonly write: (line: string) => void;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Writes a line about every request, or about those that failed or were blocked. */
export class RequestLines implements Sink {
  readonly #level: Exclude<LogLevel, "off">;
  readonly #output: LineOutput;
  #sent = 0;
  /** Of strangers, in the second that began at `since`. */
  #strangers = { since: 0, lines: 0, suppressed: 0 };
  #dropped = 0;

  constructor(level: Exclude<LogLevel, "off">, output: LineOutput) {
    this.#level = level;
    this.#output = output;
  }

  ignores(finished: FinishedRequest): boolean {
    return this.#level === "errors" && !isError(finished);
  }

  tell(finished: FinishedRequest, background: Background): void {
    if (this.ignores(finished)) return;
    if (this.#level === "errors" && !finished.identified && !this.#admits(background)) return;
    this.#write(requestLine(finished));
  }

  stats(): readonly SinkStats[] {
    return [{ name: "stdout", queued: 0, sent: this.#sent, dropped: this.#dropped }];
  }

  #write(line: string): void {
    this.#output.write(line);
    this.#sent += 1;
  }

  /** Whether a line about a stranger still fits into this second: anybody can cause them, and disks are full one day. */
  #admits(background: Background): boolean {
    const now = this.#output.now();
    if (now - this.#strangers.since >= second) {
      this.#tellSuppressed();
      this.#strangers = { since: now, lines: 0, suppressed: 0 };
    }
    if (this.#strangers.lines < mostStrangers) {
      this.#strangers.lines += 1;
      return true;
    }
    if (this.#strangers.suppressed === 0) background(this.#tellLater());
    this.#strangers.suppressed += 1;
    this.#dropped += 1;
    return false;
  }

  async #tellLater(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, second));
    this.#tellSuppressed();
  }

  #tellSuppressed(): void {
    const { suppressed } = this.#strangers;
    if (suppressed === 0) return;
    this.#strangers.suppressed = 0;
    this.#write(JSON.stringify({ time: isoTime(this.#output.now()), suppressed }));
  }
}

function isError(finished: FinishedRequest): boolean {
  const outcome = finishedOutcome(finished);
  return finished.status >= 400 || outcome === "failed" || outcome === "blocked";
}

/** The line of a request: JSON in ASCII, at most 4,000 bytes. What does not fit is left out: first the client's texts, then attempts. */
export function requestLine(finished: FinishedRequest): string {
  if (!finished.identified) return ascii(strangerFacts(finished));
  const whole = ascii(facts(finished, { attempts: true, clientsOwn: true }));
  if (whole.length <= longestLine) return whole;
  const shorter = ascii(facts(finished, { attempts: true, clientsOwn: false }));
  return shorter.length <= longestLine
    ? shorter
    : ascii(facts(finished, { attempts: false, clientsOwn: false }));
}

/** Every other character is escaped, so that no reader of lines sees a line end (U+2028) or half a character in it. */
function ascii(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function strangerFacts(finished: FinishedUnidentified): object {
  const { id, format, status, times, refusedWith: code } = finished;
  const time = isoTime(times.arrived);
  const total_ms = times.ended - times.arrived;
  return { time, id, format, status, outcome: finishedOutcome(finished), code, total_ms };
}

/** What a line holds beside ids and numbers. */
interface Parts {
  readonly attempts: boolean;
  readonly clientsOwn: boolean;
}

/** One literal, because objects that are spread into each other cost ten times as much. What is undefined is left out. */
function facts(finished: FinishedIdentified, parts: Parts): object {
  const { record, times, namesModel } = finished;
  return {
    time: isoTime(times.arrived),
    id: finished.id,
    workspace: finished.workspace,
    harness: record.harness,
    key_id: record.key_id,
    person: record.person,
    format: finished.format,
    stream: record.stream,
    requested_model: shortened(finished.requestedModel),
    model: record.model === null ? undefined : shortened(namedModel(record.model, namesModel)),
    provider: record.provider ?? undefined,
    tier: record.tier ?? undefined,
    status: finished.status,
    outcome: finishedOutcome(finished),
    code: finished.refusedWith,
    blocked_by: record.blocked_by,
    dropped: record.dropped.length,
    total_ms: times.ended - times.arrived,
    first_byte_ms: record.first_byte_ms ?? undefined,
    stages: stagesOf(times),
    tokens: record.usage === null ? undefined : tokensOf(record.usage),
    cost: record.cost ?? undefined,
    attempts: parts.attempts ? attemptsOf(finished) : undefined,
    session: parts.clientsOwn ? shortened(record.session_id) : undefined,
    agent: parts.clientsOwn ? shortened(record.agent) : undefined,
    tags: parts.clientsOwn ? tagsOf(record.tags) : undefined,
    cut: parts.clientsOwn ? undefined : true,
  };
}

/** Milliseconds after the arrival. */
function stagesOf({ arrived, identified, parsed, planned, admitted }: StageTimes): object {
  const after = (time: number | undefined) => (time === undefined ? undefined : time - arrived);
  return {
    identified: after(identified),
    parsed: after(parsed),
    planned: after(planned),
    admitted: after(admitted),
  };
}

function tokensOf(usage: BookedUsage): object {
  return {
    input: usage.input_tokens,
    cached: usage.cached_tokens,
    cache_write: usage.cache_write_tokens,
    output: usage.output_tokens,
    reasoning: usage.reasoning_tokens,
    estimated: usage.estimated,
  };
}

function attemptsOf({ record, namesModel }: FinishedIdentified): readonly object[] {
  return record.attempts.slice(-mostAttempts).map(({ model, status, ms, outcome, cause }) => ({
    model: shortened(namedModel(model, namesModel)),
    status,
    ms,
    outcome,
    cause,
  }));
}

function tagsOf(tags: Readonly<Record<string, string>> | undefined): object | undefined {
  if (tags === undefined) return undefined;
  const short = Object.entries(tags).slice(0, mostTags);
  return Object.fromEntries(short.map(([name, value]) => [shortened(name), shortened(value)]));
}

function shortened(text: string): string;
function shortened(text: string | undefined): string | undefined;
function shortened(text: string | undefined): string | undefined {
  return text?.slice(0, longestText);
}
