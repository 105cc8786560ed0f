/**
 * One timer a stream: it looks after silence, the whole request's time and keep-alives. What it finds aborts the
 * provider's call, and the read that waits for it fails.
 */
import type { EventWriter } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import { silence } from "../upstream/failures.ts";
import type { Outlet } from "./outlet.ts";
import type { StreamAnswer } from "../upstream/upstream.ts";

export interface Watch {
  /** Whether the provider's silence counts now: not while a slow client is written to. */
  listening(on: boolean): void;
  /** Why the provider's call was aborted, if it was for its silence. */
  failure(): Failure | undefined;
  /** A keep-alive found that the client has gone. */
  gone(): boolean;
  stop(): void;
}

export interface Watched {
  readonly answer: Pick<StreamAnswer, "prepared" | "controller">;
  readonly writer: EventWriter;
  /** Epoch ms at which the whole request must be over. */
  readonly deadline: number;
}

/** Silence after which a translated stream says that it is alive, in ms. */
const heartbeat = 15_000;

const encoder = new TextEncoder();

export function watchdog({ answer, writer, deadline }: Watched, out: Outlet): Watch {
  const { prepared, controller } = answer;
  const { idle } = prepared.model.connection.timeouts;
  let failure: Failure | undefined;
  let gone = false;
  let heard: number | undefined;
  const check = (): void => {
    const now = Date.now();
    if (heard !== undefined && now - heard >= idle * 1000) failure ??= silence(idle);
    if (now >= deadline) failure ??= tooLong;
    if (failure) {
      controller.abort();
    } else if (!prepared.relay && heard !== undefined && out.idleFor() >= heartbeat) {
      out.write(encoder.encode(writer.keepAlive())).catch(() => {
        gone = true;
      });
    }
  };
  const timer = setInterval(check, Math.min(1000, (idle * 1000) / 4));
  return {
    listening(on) {
      heard = on ? Date.now() : undefined;
    },
    failure: () => failure,
    gone: () => gone,
    stop: () => clearInterval(timer),
  };
}

const tooLong: Failure = {
  cause: "timeout",
  status: 504,
  message: "The request took too long.",
};
