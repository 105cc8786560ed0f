/**
 * One JSON line a request on standard output: ids, names, statuses, times, tokens and cost. Never a text: no messages, no
 * errors of providers (they quote prompts), no reasons, no names that a client made up.
 */
import type { LogLevel } from "../store/log-settings.ts";
import type { AttemptRecord, BookedUsage } from "../workspace/contract/request-record.ts";
import type { FinishedRequest, StageTimes } from "./finished-request.ts";
import { outcomeOf } from "./outcome.ts";
import { namedModel } from "./named-model.ts";
import type { Background, Sink, SinkStats } from "./sink.ts";

/** Bytes of a line: programs that collect lines cut longer ones. */
const longestLine = 8192;
/** Characters of the client's own texts: session, agent, tags. */
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

  tell(finished: FinishedRequest, background: Background): void {
    if (this.#level === "errors" && !isError(finished)) return;
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
    this.#write(JSON.stringify({ time: new Date(this.#output.now()).toISOString(), suppressed }));
  }
}

function isError(finished: FinishedRequest): boolean {
  const outcome = outcomeOf(finished);
  return finished.status >= 400 || outcome === "failed" || outcome === "blocked";
}

/** The line of a request: JSON in ASCII, at most 8 KB. What does not fit is left out: first the client's texts, then attempts. */
export function requestLine(finished: FinishedRequest): string {
  const facts = factsOf(finished);
  const whole = ascii({ ...facts, ...attemptsOf(finished), ...clientsOwn(finished) });
  if (whole.length <= longestLine) return whole;
  const shorter = ascii({ ...facts, ...attemptsOf(finished), cut: true });
  return shorter.length <= longestLine ? shorter : ascii({ ...facts, cut: true });
}

/** Every other character is escaped, so that no reader of lines sees a line end (U+2028) or half a character in it. */
function ascii(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function factsOf(finished: FinishedRequest): object {
  const { id, format, status, times, refusedWith: code } = finished;
  const base = { time: new Date(times.arrived).toISOString(), id, format, status };
  const ended = { outcome: outcomeOf(finished), code, total_ms: times.ended - times.arrived };
  if (!finished.identified) return { ...base, ...ended, stages: stagesOf(times) };
  const { record, workspace, namesModel } = finished;
  return {
    ...base,
    ...ended,
    workspace,
    harness: record.harness,
    key_id: record.key_id,
    person: record.person,
    stream: record.stream,
    requested_model: shortened(finished.requestedModel),
    model: shortened(record.model === null ? undefined : namedModel(record.model, namesModel)),
    provider: record.provider ?? undefined,
    tier: record.tier ?? undefined,
    blocked_by: record.blocked_by,
    dropped: record.dropped.length,
    first_byte_ms: record.first_byte_ms ?? undefined,
    stages: stagesOf(times),
    tokens: tokensOf(record.usage),
    cost: record.cost ?? undefined,
  };
}

/** Milliseconds after the arrival. */
function stagesOf({ arrived, ended: _, ...reached }: StageTimes): object {
  return Object.fromEntries(Object.entries(reached).map(([name, at]) => [name, at - arrived]));
}

function tokensOf(usage: BookedUsage | null): object | undefined {
  if (usage === null) return undefined;
  return {
    input: usage.input_tokens,
    cached: usage.cached_tokens,
    cache_write: usage.cache_write_tokens,
    output: usage.output_tokens,
    reasoning: usage.reasoning_tokens,
    estimated: usage.estimated,
  };
}

function attemptsOf(finished: FinishedRequest): { attempts?: readonly object[] } {
  if (!finished.identified || finished.record.attempts.length === 0) return {};
  const { record, namesModel } = finished;
  const told = ({ model, status, ms, outcome, cause }: AttemptRecord): object => ({
    model: shortened(namedModel(model, namesModel)),
    status,
    ms,
    outcome,
    cause,
  });
  return { attempts: record.attempts.slice(-mostAttempts).map(told) };
}

function clientsOwn(finished: FinishedRequest): object {
  if (!finished.identified) return {};
  const { session_id, agent, tags } = finished.record;
  return {
    session: shortened(session_id),
    agent: shortened(agent),
    tags: tags && Object.fromEntries(Object.entries(tags).slice(0, mostTags).map(shortTag)),
  };
}

function shortTag([name, value]: [string, string]): [string, string] {
  return [name.slice(0, longestText), value.slice(0, longestText)];
}

function shortened(text: string | undefined): string | undefined {
  return text?.slice(0, longestText);
}
