/** Running requests: a slot each, and what is set aside from every budget on their path. */
import type { LoggedFormat } from "../../core/operation-name.ts";
import { nodesOf, type SpendPath } from "./nodes.ts";
import { addTo, type Amount, noAmount } from "./sums/spend.ts";

/** A lease that is not renewed ends after this time, in ms. */
export const leaseTime = 45_000;
/** How often a request renews its lease, in ms: two renewals may fail. */
export const renewInterval = leaseTime / 3;

/** One request under way. */
export interface LeaseState extends SpendPath {
  /** The request's id. */
  id: string;
  /** What the log calls it; a lease of the version before does not say. */
  format?: LoggedFormat;
  /** What is set aside until the real cost is known. */
  reserve: Amount;
  /**
   * What to book if the request is lost: the model asked first, the tokens it was sent, and those that were set aside
   * for its answer, which the version before did not save.
   */
  lost: { model: string; input: number; output?: number; cost: number };
  started: number;
  expires: number;
}

/** All requests under way. */
export interface Leases {
  byId: Map<string, LeaseState>;
  /** Sums of what is set aside, by the name of the node. `requests` is the number under way. */
  reserved: Map<string, Amount>;
  /** No lease ends before this time, epoch ms: until then the leases are not searched. */
  firstEnd: number;
}

/** Nothing under way. */
export function noLeases(): Leases {
  return { byId: new Map(), reserved: new Map(), firstEnd: Infinity };
}

/** Takes a slot, and sets aside what the request may cost. */
export function hold(leases: Leases, lease: LeaseState): void {
  leases.byId.set(lease.id, lease);
  leases.firstEnd = Math.min(leases.firstEnd, lease.expires);
  for (const node of nodesOf(lease)) {
    let sum = leases.reserved.get(node);
    if (sum === undefined) leases.reserved.set(node, (sum = noAmount()));
    addTo(sum, lease.reserve);
  }
}

/** Frees the slot and what was set aside; undefined when it was freed before. */
export function release(leases: Leases, id: string): LeaseState | undefined {
  const lease = leases.byId.get(id);
  if (lease === undefined) return undefined;
  leases.byId.delete(id);
  for (const node of nodesOf(lease)) giveBack(leases.reserved, node, lease.reserve);
  return lease;
}

function giveBack(reserved: Leases["reserved"], node: string, part: Amount): void {
  const sum = reserved.get(node);
  if (sum === undefined) return;
  sum.cost -= part.cost;
  sum.tokens -= part.tokens;
  sum.requests -= part.requests;
  // With nothing under way the sum is nothing exactly, whatever rounding has left.
  if (sum.requests <= 0) reserved.delete(node);
}

/** What is set aside of the node's budget. */
export function reservedBy(leases: Leases, node: string): Amount {
  return leases.reserved.get(node) ?? noAmount();
}

/** The leases that were not renewed in time. Renewals only make them end later, so most calls look at none. */
export function overdue(leases: Leases, now: number): LeaseState[] {
  // None is longer: the clock was set back.
  if (leases.firstEnd - now > leaseTime) shorten(leases, now + leaseTime);
  if (now < leases.firstEnd) return [];
  const found: LeaseState[] = [];
  let firstEnd = Infinity;
  for (const lease of leases.byId.values()) {
    if (lease.expires <= now) found.push(lease);
    else firstEnd = Math.min(firstEnd, lease.expires);
  }
  // Those that were found end now, if the caller ends them.
  leases.firstEnd = found.length > 0 ? now : firstEnd;
  return found;
}

function shorten(leases: Leases, latest: number): void {
  for (const lease of leases.byId.values()) lease.expires = Math.min(lease.expires, latest);
  leases.firstEnd = leases.byId.size === 0 ? Infinity : latest;
}
