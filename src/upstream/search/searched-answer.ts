/** An answer during which the gateway searches, streamed or whole. */
import type { ReplyEvent } from "../../core/events.ts";
import type { Failure } from "../../core/failure.ts";
import { noPiece, type Piece, type Source, withFailures } from "../source.ts";
import type {
  NoAnswer,
  Prepared,
  Started,
  StreamAnswer,
  Upstream,
  WholeAnswer,
} from "../upstream.ts";
import type { SearchLoop } from "./search-loop.ts";

/** The first turn's answer with all that follows; what it was, where there is none. */
export async function searchedAnswer(loop: SearchLoop, next: Upstream): Promise<Started> {
  const started = await next(loop.ask());
  if (started.kind === "failed") return started;
  return started.kind === "stream"
    ? searchedStream(started, { loop, next })
    : await searchedWhole(started, { loop, next });
}

interface Searched {
  readonly loop: SearchLoop;
  readonly next: Upstream;
}

/** Nothing has reached the client before the end, so a turn that fails is a failure of the whole. */
async function searchedWhole(
  first: WholeAnswer,
  { loop, next }: Searched,
): Promise<WholeAnswer | NoAnswer> {
  const events: ReplyEvent[] = [];
  for (let answer: Started = first; ; answer = await next(loop.ask())) {
    if (answer.kind === "failed") {
      const attempts = [...first.attempts, ...loop.sideCalls, ...answer.attempts];
      return { ...answer, attempts };
    }
    if (answer.kind === "stream") throw new Error("a request that is not streamed was streamed");
    if (answer !== first) loop.note(answer.attempts);
    events.push(...loop.feed(answer.events));
    const { events: more, again } = await loop.goOn();
    events.push(...more);
    if (!again) break;
  }
  const { bytes: _, ...answer } = first;
  return { ...answer, prepared: written(first.prepared), events, sideCalls: loop.sideCalls };
}

function searchedStream(first: StreamAnswer, searched: Searched): StreamAnswer {
  const { loop } = searched;
  const { controller } = first;
  loop.over.signal.addEventListener("abort", () => controller.abort(), { once: true });
  const held = fedPiece(first.held, loop);
  return {
    ...first,
    prepared: written(first.prepared),
    source: searchedSource(first.source, searched),
    held,
    controller: loop.over,
    sideCalls: loop.sideCalls,
  };
}

/** Its bytes are the gateway's own. */
function written(prepared: Prepared): Prepared {
  return { ...prepared, relay: false };
}

function fedPiece({ events, last }: Piece, loop: SearchLoop): Piece {
  const passing = loop.feed(events);
  return { ...noPiece, events: passing, last: last && loop.failed() };
}

/** Reads turn after turn. Every turn's end gives a piece of its own, so that waiting for the next one begins anew. */
function searchedSource(first: Source, { loop, next }: Searched): Source {
  let source = first;
  let waits = false;
  let mapped = (failure: Failure): Failure => failure;
  const nextTurn = async (): Promise<Piece> => {
    const started = await next(loop.ask());
    waits = false;
    if (started.kind === "failed") {
      loop.note(started.attempts);
      const [{ failure }] = started.failures;
      const fail = { kind: "fail", failure: mapped(failure) } as const;
      return { ...noPiece, events: [...loop.usedEvents(), fail], last: true };
    }
    loop.note(started.attempts);
    source = started.kind === "stream" ? started.source : ended;
    source.mapFailures(mapped);
    return fedPiece(
      started.kind === "stream" ? started.held : { ...noPiece, events: [...started.events] },
      loop,
    );
  };
  return {
    async read() {
      if (waits) return await nextTurn();
      if (!loop.turnEnded()) return fedPiece(await source.read(), loop);
      source.cancel();
      const { events, again } = await loop.goOn();
      waits = again;
      return { ...noPiece, events: withFailures(events, mapped), last: !again };
    },
    cancel() {
      loop.over.abort();
      source.cancel();
    },
    mapFailures(map) {
      mapped = map;
      source.mapFailures(map);
    },
  };
}

/** Of an answer that came whole. */
const ended: Source = {
  read: () => Promise.resolve({ ...noPiece, last: true }),
  cancel: () => {},
  mapFailures: () => {},
};
