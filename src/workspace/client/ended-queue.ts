/** Requests that ended in this isolate and are not booked yet, by workspace, and the calls to come that bring them. */
import type { Clock } from "../../lib/clock.ts";
import type { RequestEnd } from "../contract/request-end.ts";
import { EndedBacklog, type EndedBatch } from "./ended-backlog.ts";

/** A call to come that brings what waits then. */
export interface PlannedFlush {
  readonly workspace: string;
  /** Epoch ms, like `wakesAt`. */
  readonly plannedAt: number;
  wakesAt: number;
}

interface Owed {
  readonly backlog: EndedBacklog;
  /** The one that counts: another that was planned before does nothing any more. */
  flush: PlannedFlush | undefined;
  /** Questions under way that may wait for a slot. */
  lining: number;
}

/** Milliseconds after which a call counts as lost: the runtime may have ended its request. */
const lost = 5000;
/** Milliseconds after which a flush makes way for another, so that no request is kept alive for ever. */
const longestFlush = 5000;
/** Requests of one workspace and of all that may be here. */
const mostOfOne = 500;
const mostOfAll = 2000;
/** Characters of their texts and reasoning together. */
const longestOfAll = 8_000_000;

/** No workspace sees what another has here. */
export class EndedQueue {
  readonly #owed = new Map<string, Owed>();
  readonly #now: Clock;
  #count = 0;
  #length = 0;

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Keeps it until it is booked; false if there is no room. */
  add(workspace: string, ended: RequestEnd): boolean {
    const owed = this.#of(workspace);
    const length = lengthOf(ended);
    if (this.#count >= mostOfAll || this.#length + length > longestOfAll) return false;
    if (owed.backlog.waiting >= mostOfOne) return false;
    this.#count += 1;
    this.#length += length;
    owed.backlog.add(ended);
    return true;
  }

  /** Whether anything of the workspace is not booked. */
  holds(workspace: string): boolean {
    return this.#owed.get(workspace)?.backlog.isEmpty === false;
  }

  /** How many of the workspace are not booked. */
  size(workspace: string): number {
    return this.#owed.get(workspace)?.backlog.size ?? 0;
  }

  /** Workspaces of which something is not booked. */
  workspaces(): string[] {
    return [...this.#owed.keys()].filter((workspace) => this.holds(workspace));
  }

  /** Whether more of the workspace waits than one call brings. */
  exceedsOneCall(workspace: string): boolean {
    return this.#owed.get(workspace)?.backlog.exceedsOneCall === true;
  }

  /** What a call brings now; undefined where nothing waits. Its end is to be told to `booked` or `failed`. */
  take(workspace: string): EndedBatch | undefined {
    const now = this.#now();
    const backlog = this.#owed.get(workspace)?.backlog;
    backlog?.recall(now - lost);
    return backlog?.take(now);
  }

  /** The same with what is under way: for a caller that has to know that it is booked. */
  takeAll(workspace: string): EndedBatch | undefined {
    const backlog = this.#owed.get(workspace)?.backlog;
    backlog?.recall(Number.POSITIVE_INFINITY);
    return backlog?.take(this.#now());
  }

  booked(workspace: string, batch: EndedBatch): void {
    this.#owed.get(workspace)?.backlog.booked(batch);
    this.#tidy(workspace);
  }

  failed(workspace: string, batch: EndedBatch): void {
    this.#owed.get(workspace)?.backlog.failed(batch);
  }

  /** Forgets what waits of the workspace; how many there were. */
  clear(workspace: string): number {
    const forgotten = this.#owed.get(workspace)?.backlog.clear() ?? 0;
    this.#tidy(workspace);
    return forgotten;
  }

  /** A request of the workspace asks, and may wait for a slot: what ends meanwhile is brought at once. */
  asks(workspace: string): void {
    this.#of(workspace).lining += 1;
  }

  answered(workspace: string): void {
    this.#of(workspace).lining -= 1;
    this.#tidy(workspace);
  }

  /** Plans a flush after `pause` ms, or immediately if a caller waits for it; undefined: another flush comes soon enough. */
  planFlush(workspace: string, pause: number): PlannedFlush | undefined {
    const owed = this.#of(workspace);
    const now = this.#now();
    const wakesAt = owed.lining > 0 ? now : now + pause;
    if (owed.flush !== undefined && isGood(owed.flush, wakesAt, now)) return undefined;
    owed.flush = { workspace, plannedAt: now, wakesAt };
    return owed.flush;
  }

  /** Whether it is the one that counts. */
  isCurrent(flush: PlannedFlush): boolean {
    return this.#owed.get(flush.workspace)?.flush === flush;
  }

  /** Nothing is left for it to do. */
  flushed(flush: PlannedFlush): void {
    const owed = this.#owed.get(flush.workspace);
    if (owed?.flush !== flush) return;
    owed.flush = undefined;
    this.#tidy(flush.workspace);
  }

  #of(workspace: string): Owed {
    let owed = this.#owed.get(workspace);
    if (owed !== undefined) return owed;
    const backlog = new EndedBacklog((ended) => {
      this.#count -= 1;
      this.#length -= lengthOf(ended);
    });
    owed = { backlog, flush: undefined, lining: 0 };
    this.#owed.set(workspace, owed);
    return owed;
  }

  #tidy(workspace: string): void {
    const owed = this.#owed.get(workspace);
    if (owed === undefined || owed.flush !== undefined || owed.lining > 0) return;
    if (owed.backlog.isEmpty) this.#owed.delete(workspace);
  }
}

/** One that has begun may bring no more, and nobody knows whether its request still runs. */
function isGood({ plannedAt, wakesAt }: PlannedFlush, wanted: number, now: number): boolean {
  return wakesAt > now && wakesAt <= wanted && plannedAt > now - longestFlush;
}

/** What of it may be large. */
function lengthOf(ended: RequestEnd): number {
  const { text } = ended.record;
  const texts = text === undefined ? 0 : text.request.length + text.answer.length;
  return ended.kind === "refused" ? texts : texts + (ended.reasoning?.sealed.length ?? 0);
}
