/** Runs the searches of an answer: asks the model, lets the searcher find what it wants, and asks it again. */
import type { ReplyEvent } from "../../core/events.ts";
import type { Reply, ReplyBlock } from "../../core/reply.ts";
import type { ModelRequest, Tool } from "../../core/request.ts";
import type { WebSource } from "../../core/web-search.ts";
import type { AttemptRecord } from "../../workspace/contract/request-record.ts";
import { estimateRequest } from "../../tokens/estimate.ts";
import { estimateTokens } from "../../tokens/text-tokens.ts";
import { callRecord } from "../call-record.ts";
import type { AnswerTurns, Ask } from "../upstream.ts";
import {
  continued,
  type DoneSearch,
  endEvents,
  searchEvents,
  usageEvents,
} from "./conversation.ts";
import { type Findings, nothingFound, type SearchQuestion } from "./searching.ts";
import { newTurn, type Turn, type WantedSearch } from "./turn.ts";

export interface LoopStart {
  readonly ask: Ask;
  /** With the search as a function. */
  readonly request: ModelRequest;
  /** The function's name. */
  readonly name: string;
  /** The search as the client offered it. */
  readonly tool: Extract<Tool, { kind: "hosted" }>;
  readonly mostSearches: number;
  search(question: SearchQuestion): Promise<Findings>;
}

/** Searches of one turn that run at once. */
const mostAtOnce = 4;
/** Turns of an answer beside those that wanted its searches: one is told that no more are allowed, the next must end. */
export const moreTurns = 2;
/** Characters of a query that are told. */
const longestQuery = 2_000;

/** Its calls beside the model's are in `sideCalls` as soon as they begin. */
export class SearchLoop implements AnswerTurns {
  readonly sideCalls: AttemptRecord[] = [];
  /** Ends every call of the answer. */
  readonly over = new AbortController();
  readonly #start: LoopStart;
  #request: ModelRequest;
  #turn: Turn;
  readonly #complete: AttemptRecord[] = [];
  /** When the turn began, epoch ms; undefined between two. */
  #begun: number | undefined;
  #turns = 0;
  readonly #sources: WebSource[] = [];
  #searches = 0;

  constructor(start: LoopStart) {
    this.#start = start;
    this.#request = start.request;
    this.#turn = this.#newTurn(0);
  }

  /** Begins a turn: its question. */
  ask(): Ask {
    const { ask } = this.#start;
    const [model] = ask.candidates;
    const request = this.#request;
    this.#turns += 1;
    this.#begun = Date.now();
    return {
      ...ask,
      candidates: this.#turns === 1 ? ask.candidates : [model],
      request: { ...ask.request, inHub: () => request },
      rewritten: true,
      signal: this.over.signal,
    };
  }

  /** What the client gets of the model's events. */
  feed(events: readonly ReplyEvent[]): ReplyEvent[] {
    const passing = this.#turn.feed(events);
    if (!this.#turn.failed()) return passing;
    const used = usageEvents(this.#turn.reply().usage);
    return [...passing.slice(0, -1), ...used, ...passing.slice(-1)];
  }

  /** The turn is over: what comes now is not the model's. */
  turnEnded(): boolean {
    return this.#turn.ended();
  }

  /** Nothing follows. */
  failed(): boolean {
    return this.#turn.failed();
  }

  /** Failed calls of a later turn. */
  note(attempts: readonly AttemptRecord[]): void {
    this.sideCalls.push(...attempts.map((attempt) => ({ ...attempt, side: true as const })));
  }

  /** A later turn could not begin. */
  stopped(): void {
    this.#begun = undefined;
  }

  complete(): readonly AttemptRecord[] {
    return this.#complete;
  }

  latest(): ReturnType<AnswerTurns["latest"]> {
    if (this.#begun === undefined) return undefined;
    return { reported: this.#turn.reply().usage, input: estimateRequest(this.#request) };
  }

  /** Behind a turn: its searches, and whether the model is asked again. */
  async goOn(): Promise<{ events: ReplyEvent[]; again: boolean }> {
    const turn = this.#turn;
    const reply = turn.reply();
    const wanted = turn.searches();
    if (wanted.length === 0) return { events: endEvents(reply), again: false };
    this.#completes(reply);
    const done = await this.#searchAll(wanted);
    const first = turn.nextKey();
    const events = done.flatMap((search, at) => searchEvents(search, first + at));
    const again = !turn.callsClient() && this.#turns < this.#start.mostSearches + moreTurns;
    if (!again) {
      const reason = turn.callsClient() ? reply.stop.reason : "length";
      const end = endEvents({ ...reply, stop: { ...reply.stop, reason } });
      return { events: [...events, ...end], again };
    }
    this.#request = continued(this.#request, reply, {
      searches: done,
      sources: this.#sources.length,
    });
    this.#sources.push(...done.flatMap(({ findings }) => findings.sources));
    this.#turn = this.#newTurn(first + done.length);
    return { events, again };
  }

  /** The turn is booked before its searches: the client may leave during them. */
  #completes({ blocks, usage }: Reply): void {
    const { candidates } = this.#start.ask;
    const output = estimateTokens(blocks.map(writtenIn).join("\n"));
    const guess = { input: estimateRequest(this.#request), output };
    const begun = this.#begun ?? Date.now();
    this.#complete.push(callRecord({ model: candidates[0], begun, status: 200, usage, guess }));
    this.#begun = undefined;
  }

  #newTurn(firstKey: number): Turn {
    const { name } = this.#start;
    const begins = this.#turns === 0;
    return newTurn({ name, firstKey, begins, sources: [...this.#sources] });
  }

  /** In their order, a few at once; those beyond the bound are told so. */
  async #searchAll(wanted: readonly WantedSearch[]): Promise<DoneSearch[]> {
    const done: DoneSearch[] = [];
    for (let at = 0; at < wanted.length; at += mostAtOnce) {
      const some = wanted.slice(at, at + mostAtOnce);
      done.push(...(await Promise.all(some.map((search) => this.#searchOne(search)))));
    }
    return done;
  }

  async #searchOne({ id, query: asked }: WantedSearch): Promise<DoneSearch> {
    const { tool, mostSearches, search } = this.#start;
    const query = asked.slice(0, longestQuery).toWellFormed();
    if (this.#searches >= mostSearches) return { id, query, findings: nothingFound("spent") };
    this.#searches += 1;
    const question = { query, tool, signal: this.over.signal, booked: this.sideCalls };
    const findings = query.trim() === "" ? nothingFound("failed") : await search(question);
    return { id, query, findings };
  }
}

function writtenIn(block: ReplyBlock): string {
  if ("text" in block) return block.text;
  return block.kind === "call" ? block.input : "";
}
