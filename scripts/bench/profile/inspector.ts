/** V8's sampling profiler in a running workerd, by its inspector. */
import { openSocket, type SocketClient } from "../socket-client.ts";

/** A sampled profile as V8 tells it; times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node in which each sample was taken. */
  readonly samples: readonly number[];
  /** How long after the one before. */
  readonly timeDeltas: readonly number[];
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    /** From 0. */
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

/** Microseconds between two samples. */
const interval = 100;

/** Samples while the work is done. */
export async function profiled(port: number, work: () => Promise<unknown>): Promise<CpuProfile> {
  const socket = await openSocket({ port, path: "/main", headers: {} });
  const call = callerOf(socket);
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval });
  await call("Profiler.start");
  await work();
  const { profile } = await call("Profiler.stop");
  socket.connection.destroy();
  // The protocol's answer to this call.
  return profile as CpuProfile;
}

type Call = (method: string, params?: object) => Promise<Record<string, unknown>>;

function callerOf(socket: SocketClient): Call {
  let last = 0;
  return async (method, params = {}) => {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const message = await socket.next();
      if (message === undefined) throw new Error("the inspector's connection was closed");
      // Whatever else it tells is not asked for.
      if (message["id"] === id) return message["result"] as Record<string, unknown>;
    }
  };
}
