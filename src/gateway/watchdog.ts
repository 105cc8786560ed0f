/**
 * One timer a stream: it looks after silence, the time that the answer may take, and keep-alives. What it finds aborts
 * the provider's call, and the read that waits for it fails.
 */
import { SteadyTime } from "../lib/clock.ts";
import type { AnswerFraming, ClientFormat, EventWriter } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import { silence } from "../upstream/failures.ts";
import type { StreamAnswer } from "../upstream/upstream.ts";
import type { Outlet } from "./outlet.ts";

export interface Watch {
  /** Whether the provider's silence counts now: not while a slow client is written to. */
  listening(on: boolean): void;
  /** Content came: a stream lives as long as it does. */
  content(): void;
  /** Why the provider's call was aborted, if it was for its silence or its time. */
  failure(): Failure | undefined;
  stop(): void;
}

export interface Watched {
  readonly answer: Pick<StreamAnswer, "prepared" | "controller">;
  readonly client: Pick<ClientFormat, "relayKeepAlive">;
  readonly writer: EventWriter;
  /** The form of the answer, where it is no stream of events. */
  readonly framing: AnswerFraming | undefined;
  /** Epoch ms at which the answer ends even while content flows; undefined where its provider's entry sets none. */
  readonly deadline: number | undefined;
  /** Why this process cuts answers that began before, once it does. */
  cut(): Failure | undefined;
}

/** Silence after which a comment is written to the client, in ms. The second write shows that a client has left. */
export const heartbeat = 4_000;
/** How often the watchdog looks, in ms: a departure costs a heartbeat and two looks. */
export const lookInterval = 500;
/** Longest time without content, whatever else is sent, or waits for a client that does not read, in seconds. */
const longestLull = 900;

const encoder = new TextEncoder();

export function watchdog(watched: Watched, out: Outlet): Watch {
  const { prepared, controller } = watched.answer;
  const { idle } = prepared.model.connection.timeouts;
  let failure: Failure | undefined;
  let heard: number | undefined;
  // A clock that is set makes no provider silent, and hides no silence.
  const time = new SteadyTime();
  const pause = Math.min(lookInterval, (idle * 1000) / 4);
  const deadline = watched.deadline && time.of(watched.deadline);
  let content = time.now();
  const keepAlive = keepAliveOf(watched);
  const check = (): void => {
    time.wakes(true);
    time.sleeps(pause);
    const now = time.now();
    const lull = now - content >= longestLull * 1000;
    failure ??= failureAt(now, { deadline, cut: watched.cut }) ?? (lull ? noContent : undefined);
    if (heard !== undefined && now - heard >= idle * 1000) failure ??= silence(idle);
    if (failure) controller.abort();
    else if (heard !== undefined && (out.keepAliveBegun() || out.idleFor() >= heartbeat))
      out.keepAlive(keepAlive);
    // A client that takes nothing for so long hears of no failure either.
    if (lull && heard === undefined) out.giveUp();
  };
  time.sleeps(pause);
  const timer = setInterval(check, pause);
  return {
    listening(on) {
      heard = on ? time.now() : undefined;
    },
    content() {
      content = time.now();
    },
    failure: () => failure,
    stop: () => clearInterval(timer),
  };
}

/** What keeps the stream alive: the writer's own word, or for relayed bytes the one that fits between any two events. */
function keepAliveOf({ answer, client, writer, framing }: Watched): () => Uint8Array {
  const relayed = encoder.encode(framing?.keepAlive ?? client.relayKeepAlive);
  return framing !== undefined || answer.prepared.relay
    ? () => relayed
    : () => encoder.encode(writer.keepAlive());
}

function failureAt(
  now: number,
  { deadline, cut }: Pick<Watched, "deadline" | "cut">,
): Failure | undefined {
  return deadline !== undefined && now >= deadline ? tooLong : cut();
}

const tooLong: Failure = {
  cause: "timeout",
  status: 504,
  message: "The request took too long.",
};

const noContent: Failure = {
  cause: "timeout",
  status: 504,
  message: `The provider sent no content for ${longestLull} s.`,
};
