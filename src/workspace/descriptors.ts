/**
 * How the process's descriptors (open files and connections) are shared out. The runtime ends when a new connection
 * finds none left, and idle connections cannot be refused: half of all is kept for connections of clients.
 */
import type { Env } from "../store/env.ts";

/** What may be open at once. */
export interface DescriptorShares {
  /** Workspaces whose objects are in memory. */
  readonly workspaces: number;
  /** Generation requests in flight. */
  readonly requests: number;
  /** WebSockets of clients, idle or not. */
  readonly sockets: number;
}

/** An object's database, its log and its index. Measured on workerd 1.20260426. */
const eachWorkspace = 3;
/** The runtime's own files, the directory, KV, and the objects that count client addresses. */
const ownFiles = 384;
/** One connection to the provider, and one that waits in the runtime's pool to be used again. */
const eachRequest = 2;

/** Most WebSockets, whatever the descriptors: each takes memory too. */
const mostSockets = 2000;
/** Where a process of the platform's own serves them, with little memory. */
const mostHostedSockets = 500;

/** Workspaces and requests are not limited if the number of descriptors is unknown. */
export function descriptorShares({
  DESCRIPTOR_LIMIT,
}: Pick<Env, "DESCRIPTOR_LIMIT">): DescriptorShares {
  const limit = Number(DESCRIPTOR_LIMIT);
  if (!Number.isFinite(limit) || limit <= 0)
    return {
      workspaces: Number.POSITIVE_INFINITY,
      requests: Number.POSITIVE_INFINITY,
      sockets: mostHostedSockets,
    };
  const requests = Math.floor(limit / 16);
  const files = limit / 2 - ownFiles - requests * eachRequest;
  return {
    workspaces: Math.max(1, Math.floor(files / eachWorkspace)),
    requests,
    // Of the half that is kept for clients.
    sockets: Math.min(mostSockets, Math.floor(limit / 4)),
  };
}
