/** Requests on their way in and out of a workspace: judged and counted, kept waiting for a slot, booked when they ended. */
import { problemCodes } from "../core/problem.ts";
import type { BudgetRefusal } from "../policy/refusal.ts";
import type {
  AdmitAnswer,
  AdmitGrant,
  AdmitRequest,
  ForeseeRequest,
  Foresight,
} from "./contract/admission.ts";
import { boundedRecord } from "./contract/record-limits.ts";
import type { AdmissionCall, SentRequest } from "./contract/request-end.ts";
import type { RequestRecord } from "./contract/request-record.ts";
import type { SealedReasoning } from "./contract/sealed-reasoning.ts";
import type { EventWatch } from "./events/event-watch.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { LimitBlocks } from "./limit-blocks.ts";
import { decide, foresee, pathOf } from "./rules/admission.ts";
import { nameOnPath } from "./rules/nodes.ts";
import type { FailingStorage, WorkspaceState } from "./rules/state.ts";
import type { RunningSpend } from "./running-spend.ts";
import type { Settlements } from "./settlements.ts";
import { SlotLine } from "./slot-line.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** What admission decides by, and where it notes what it decided. */
export interface AdmissionsContext {
  readonly state: WorkspaceState;
  readonly writes: WriteBehind;
  readonly blocks: LimitBlocks;
  readonly answers: KeptAnswers;
  readonly settlements: Settlements;
  readonly watch: EventWatch;
  readonly spend: RunningSpend;
}

/** Decides in memory. */
export class Admissions {
  readonly #context: AdmissionsContext;
  readonly #slots: SlotLine;

  constructor(context: AdmissionsContext) {
    this.#context = context;
    this.#slots = new SlotLine({
      state: context.state,
      endOverdue: () => context.settlements.endOverdue(Date.now()),
      decide: (request) => this.#decide(request),
    });
  }

  /**
   * One request: every check and every count in one go. Budgets wait for the first sums of an old state, and requests of
   * harnesses with a queue for a slot.
   */
  async admit(request: AdmitRequest): Promise<AdmitAnswer> {
    const { spend } = this.#context;
    spend.follow(Date.now());
    if (!spend.isWhole) await spend.known(request.harness);
    return await this.#slots.admit(request);
  }

  /**
   * The same, with the requests that ended before it: they are booked first, so that their slots are free. `call` is the
   * JSON of an AdmissionCall, what is returned that of an AdmitAnswer.
   */
  async admitNext(call: string): Promise<string> {
    const { spend } = this.#context;
    // Written by this project's callers.
    const { request, ended } = JSON.parse(call) as AdmissionCall;
    if (ended !== undefined) this.#book(ended);
    spend.follow(Date.now());
    if (!spend.isWhole) await spend.known(request.harness);
    const answer = this.#slots.admit(request);
    return JSON.stringify(answer instanceof Promise ? await answer : answer);
  }

  /** What a request would meet now; nothing is counted. */
  async foresee(request: ForeseeRequest): Promise<Foresight> {
    const { spend, settlements, state } = this.#context;
    spend.follow(Date.now());
    await spend.known(request.harness);
    const now = Date.now();
    settlements.endOverdue(now);
    return foresee(state, request, now);
  }

  /** Books requests that ended; safe to call twice. `ended` is the JSON of a list of SentRequest. */
  bookEnded(ended: string): void {
    // Written by this project's callers.
    this.#book(JSON.parse(ended) as readonly SentRequest[]);
  }

  /** Ends the lease with the record's id and books the request; safe to call twice. */
  settle(record: RequestRecord, reasoning?: SealedReasoning): void {
    this.#context.settlements.settle(boundedRecord(record), reasoning);
    this.serve();
  }

  /** The request waits for its slot no more. */
  leave(id: string): void {
    this.#slots.leave(id);
  }

  /** Slots may have become free. */
  serve(): void {
    this.#slots.serve();
  }

  /** One that cannot be booked keeps no other from it. */
  #book(sent: readonly SentRequest[]): void {
    for (const one of sent) {
      try {
        this.#context.settlements.end(one);
      } catch (error) {
        console.error(`an ended request could not be booked: ${String(error)}`);
      }
    }
    this.serve();
  }

  #decide(request: AdmitRequest): AdmitAnswer {
    const { state, watch, writes } = this.#context;
    const now = Date.now();
    state.storage = this.#storage(now);
    const answer = decide(state, request, now);
    if (answer.verdict === "refused" && answer.refusal.code === problemCodes.limitReached)
      this.#countBlock(request, answer.refusal, now);
    if (answer.verdict === "refused" && answer.refusal.code === problemCodes.monthlyQuota)
      watch.quota(now);
    if (answer.verdict === "admitted") {
      writes.useKey(request.keyHash, now, answer.lease === null);
      writes.changed({ live: true });
      this.#addKept(answer, request);
    }
    return answer;
  }

  /** Undefined: everything can be saved. */
  #storage(now: number): FailingStorage | undefined {
    const { retryAt, isFull } = this.#context.writes;
    if (retryAt === undefined) return undefined;
    return { retryAfter: Math.max(1, Math.ceil((retryAt - now) / 1000)), isFull };
  }

  #addKept(answer: AdmitGrant, { keyHash, reasoningOf }: AdmitRequest): void {
    const { state, answers } = this.#context;
    const key = state.keys.get(keyHash);
    if (key !== undefined && reasoningOf !== undefined)
      answer.reasoning = answers.of(key.id, reasoningOf);
  }

  /** The first block of a period is acknowledged with everything that led to it on the disk. */
  #countBlock(request: AdmitRequest, refusal: BudgetRefusal, now: number): void {
    const { state, watch, blocks, writes } = this.#context;
    const key = state.keys.get(request.keyHash);
    const { metric, period, limit, used, node = "harness" } = refusal;
    const path = key === undefined ? request : pathOf(key);
    const name = nameOnPath(node, path);
    const isUsedUp = refusal.unpriced === undefined && refusal.bound === undefined;
    if (isUsedUp) watch.refused(refusal, { name, path, now });
    const { start } = state.calendar.span(period, now);
    const block = { name, metric, period, max: limit, action: "block", start, used } as const;
    if (blocks.count(block, now)) writes.flush();
  }
}
