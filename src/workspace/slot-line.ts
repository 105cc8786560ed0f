/** Requests that wait for a slot of their workspace, in the memory of its object. */
import { problemCodes } from "../core/problem.ts";
import type { AdmitAnswer, AdmitRequest } from "./contract/admission.ts";
import { promiseSlot } from "./rules/slot-times.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { type Waiter, WaitingLine } from "./rules/waiting-line.ts";

/** What waiting needs. */
export interface SlotLineContext {
  readonly state: WorkspaceState;
  /** Ends leases that were not renewed. */
  endOverdue(): void;
  /** Judges the request now, and counts it where it is admitted. */
  decide(request: AdmitRequest): AdmitAnswer;
}

type Refused = Extract<AdmitAnswer, { verdict: "refused" }>;

interface WaitingRequest extends Waiter {
  readonly request: AdmitRequest;
  readonly timer: ReturnType<typeof setTimeout>;
  answer(answer: AdmitAnswer): void;
  fail(error: unknown): void;
}

/** How often to look for leases of callers that are gone while requests wait, in ms. */
const lookInterval = 1000;

/**
 * A slot is handed over in the same turn in which it becomes free, so it is never both free and waited for: nobody
 * overtakes, and no more than there are slots are ever taken.
 */
export class SlotLine {
  readonly #context: SlotLineContext;
  readonly #line = new WaitingLine<WaitingRequest>();
  #look: ReturnType<typeof setInterval> | undefined;

  constructor(context: SlotLineContext) {
    this.#context = context;
    context.state.slotTimes.waiting = () => this.#line.counts();
  }

  /** Judges the request at once; where only a slot is missing, it waits for one as long as its harness lets it. */
  admit(request: AdmitRequest): AdmitAnswer | Promise<AdmitAnswer> {
    // A call that was repeated is the same request: its first one waits no more.
    this.leave(request.requestId);
    this.#endOverdue();
    const answer = this.#context.decide(request);
    if (!lacksSlot(answer)) return answer;
    const patience = this.#patience(request);
    return patience > 0 ? this.#wait(request, patience) : this.#refuse(request, answer);
  }

  /** The caller waits no more: it takes no slot, and is answered as one that found none. */
  leave(id: string): void {
    if (this.#line.size === 0) return;
    const one = this.#line.leave(id);
    if (one !== undefined) this.#end(one, noSlot(this.#context.state));
  }

  /** Hands free slots to those that wait. To be called whenever one may have become free. */
  serve(): void {
    while (this.#line.size > 0 && this.#hasSlot()) {
      const one = this.#line.next();
      if (one === undefined) return;
      this.#judge(one);
    }
  }

  #judge(one: WaitingRequest): void {
    try {
      const answer = this.#context.decide(one.request);
      this.#end(one, lacksSlot(answer) ? this.#refuse(one.request, answer) : answer);
    } catch (error) {
      this.#clear(one);
      one.fail(error);
    }
  }

  #wait(request: AdmitRequest, patience: number): Promise<AdmitAnswer> {
    const { requestId: id, keyHash: key, waited = 0 } = request;
    const { promise, resolve, reject } = Promise.withResolvers<AdmitAnswer>();
    const timer = setTimeout(() => this.#giveUp(id), patience);
    const since = Date.now() - waited;
    const one = { id, key, since, request, timer, answer: resolve, fail: reject };
    const displaced = this.#line.join(one);
    if (displaced !== undefined) this.#judge(displaced);
    this.#look ??= setInterval(() => this.#endOverdue(), lookInterval);
    return promise;
  }

  /** The time is over: a last look, then the refusal. */
  #giveUp(id: string): void {
    this.#endOverdue();
    const one = this.#line.leave(id);
    if (one !== undefined) this.#judge(one);
  }

  #endOverdue(): void {
    this.#context.endOverdue();
    this.serve();
  }

  #end(one: WaitingRequest, answer: AdmitAnswer): void {
    this.#clear(one);
    one.answer(answer);
  }

  #clear({ timer }: WaitingRequest): void {
    clearTimeout(timer);
    if (this.#line.size > 0 || this.#look === undefined) return;
    clearInterval(this.#look);
    this.#look = undefined;
  }

  /** The next refused request is told to retry after this one. */
  #refuse({ keyHash }: AdmitRequest, answer: Refused): Refused {
    const { refusal } = answer;
    if ("retryAfter" in refusal)
      promiseSlot(this.#context.state.slotTimes, keyHash, Date.now() + refusal.retryAfter * 1000);
    return answer;
  }

  /** Milliseconds that the request may still wait. */
  #patience({ keyHash, waited = 0 }: AdmitRequest): number {
    const { keys, harnesses } = this.#context.state;
    const harness = harnesses.get(keys.get(keyHash)?.harness ?? "");
    return (harness?.queue ?? 0) * 1000 - waited;
  }

  #hasSlot(): boolean {
    const { limits, leases } = this.#context.state;
    return limits.slots === null || leases.byId.size < limits.slots;
  }
}

function lacksSlot(answer: AdmitAnswer): answer is Refused {
  return answer.verdict === "refused" && answer.refusal.code === problemCodes.concurrency;
}

function noSlot({ limits }: WorkspaceState): Refused {
  const refusal = { code: problemCodes.concurrency, retryAfter: 1, limit: limits.slots ?? 0 };
  return { verdict: "refused", refusal, rate: null };
}
