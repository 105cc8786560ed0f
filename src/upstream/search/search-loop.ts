/** Runs the searches of an answer: asks the model, lets the searcher find what it wants, and asks it again. */
import type { ReplyEvent } from "../../core/events.ts";
import type { Reply } from "../../core/reply.ts";
import type { ModelRequest, Tool } from "../../core/request.ts";
import type { WebSource } from "../../core/web-search.ts";
import type { AttemptRecord } from "../../workspace/contract/request-record.ts";
import { aside } from "../side-call.ts";
import type { Ask } from "../upstream.ts";
import {
  continued,
  type DoneSearch,
  endEvents,
  searchEvents,
  usageEvents,
  usageOfTurns,
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
/** Turns of an answer. */
const mostTurns = 12;
/** Characters of a query that are told. */
const longestQuery = 2_000;

export class SearchLoop {
  readonly sideCalls: AttemptRecord[] = [];
  /** Ends every call of the answer. */
  readonly over = new AbortController();
  readonly #start: LoopStart;
  #request: ModelRequest;
  #turn: Turn;
  readonly #turns: Reply[] = [];
  readonly #sources: WebSource[] = [];
  #searches = 0;

  constructor(start: LoopStart) {
    this.#start = start;
    this.#request = start.request;
    this.#turn = this.#newTurn(0);
  }

  /** The question of the turn that comes next. */
  ask(): Ask {
    const { ask } = this.#start;
    const [model] = ask.candidates;
    const request = this.#request;
    return {
      ...ask,
      candidates: this.#turns.length === 0 ? ask.candidates : [model],
      request: { ...ask.request, inHub: () => request },
      rewritten: true,
      signal: this.over.signal,
    };
  }

  /** What the client gets of the model's events. */
  feed(events: readonly ReplyEvent[]): ReplyEvent[] {
    const passing = this.#turn.feed(events);
    if (!this.#turn.failed()) return passing;
    const used = usageEvents(
      usageOfTurns([...this.#turns, this.#turn.reply()].map(({ usage }) => usage)),
    );
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

  /** Calls of a later turn that failed. */
  note(attempts: readonly AttemptRecord[]): void {
    this.sideCalls.push(...aside(attempts));
  }

  /** Behind a turn: its searches, and whether the model is asked again. */
  async goOn(): Promise<{ events: ReplyEvent[]; again: boolean }> {
    const turn = this.#turn;
    const reply = turn.reply();
    this.#turns.push(reply);
    const wanted = turn.searches();
    if (wanted.length === 0) return { events: endEvents(this.#turns, reply.stop), again: false };
    const done = await this.#searchAll(wanted);
    const first = turn.nextKey();
    const events = done.flatMap((search, at) => searchEvents(search, first + at));
    const again = !turn.callsClient() && this.#turns.length < mostTurns;
    if (!again) return { events: [...events, ...this.#lastEvents(reply, turn)], again };
    this.#request = continued(this.#request, reply, {
      searches: done,
      sources: this.#sources.length,
    });
    this.#sources.push(...done.flatMap(({ findings }) => findings.sources));
    this.#turn = this.#newTurn(first + done.length);
    return { events, again };
  }

  /** Usage so far, for a turn that could not begin. */
  usedEvents(): ReplyEvent[] {
    return usageEvents(usageOfTurns(this.#turns.map(({ usage }) => usage)));
  }

  #lastEvents(reply: Reply, turn: Turn): ReplyEvent[] {
    const reason = turn.callsClient() ? reply.stop.reason : "length";
    return endEvents(this.#turns, { ...reply.stop, reason });
  }

  #newTurn(firstKey: number): Turn {
    const { name } = this.#start;
    const begins = this.#turns.length === 0;
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
    const findings =
      query.trim() === ""
        ? nothingFound("failed")
        : await search({ query, tool, signal: this.over.signal });
    this.sideCalls.push(...findings.sideCalls);
    return { id, query, findings };
  }
}
