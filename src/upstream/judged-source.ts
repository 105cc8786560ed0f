/** A streamed answer whose end waits for verdicts: everything before it passes as it comes. */
import type { ReplyEvent, SafeguardResult } from "../core/events.ts";
import type { SafeguardWriter } from "../core/format.ts";
import { joinedPieces, noPiece, type Piece, type Source } from "./source.ts";
import { callCollector, type JudgedCall } from "./safeguards/calls.ts";

export interface EndWriting {
  /** How relayed text is given the results; missing: the events are what is written. */
  readonly writer?: SafeguardWriter;
  results(calls: readonly JudgedCall[], signal: AbortSignal): Promise<SafeguardResult[]>;
}

/** What was read already, and the source of the rest. */
interface Judged {
  readonly source: Source;
  readonly held: Piece;
}

/** Bytes of an answer's end that are kept together; an end has a few hundred. */
const longestEnd = 1024 * 1024;

export function judgedSource({ source, held }: Judged, { writer, results }: EndWriting): Judged {
  const collector = callCollector();
  const ended = new AbortController();
  let kept: Piece | undefined;
  let written = false;

  /** What passes now; the end is kept. */
  const passing = (piece: Piece): Piece => {
    collector.add(piece.events);
    const { before, end } = writer === undefined ? splitEvents(piece) : splitText(piece, writer);
    kept = end;
    return before;
  };
  /** A relay's end has begun before the event that says so was read. */
  const wholeEnd = async (first: Piece): Promise<Piece> => {
    const pieces = [first];
    let size = first.bytes.length;
    for (let last = first; !isOver(last) && size < longestEnd;) {
      last = await source.read();
      collector.add(last.events);
      pieces.push(last);
      size += last.bytes.length;
    }
    return joinedPieces(pieces);
  };
  const writeEnd = async (first: Piece): Promise<Piece> => {
    const end = await wholeEnd(first);
    written = true;
    // An answer that broke off has no calls to be judged.
    if (!end.events.some(({ kind }) => kind === "stop")) return end;
    return withResults(end, await results(collector.calls(), ended.signal), writer);
  };
  return {
    held: passing(held),
    source: {
      async read() {
        if (written) return await source.read();
        const end = kept;
        kept = undefined;
        if (end !== undefined) return await writeEnd(end);
        return passing(await source.read());
      },
      cancel() {
        ended.abort();
        source.cancel();
      },
      mapFailures: (map) => source.mapFailures(map),
    },
  };
}

function isOver({ events, last }: Piece): boolean {
  return last || events.some(isEnd);
}

const isEnd = ({ kind }: ReplyEvent): boolean => kind === "end" || kind === "fail";

interface Split {
  readonly before: Piece;
  /** Missing: the end has not begun. */
  readonly end?: Piece;
}

function splitEvents(piece: Piece): Split {
  const at = piece.events.findIndex(({ kind }) => kind === "stop");
  if (at < 0) return { before: piece };
  const { events, last } = piece;
  return {
    before: { ...noPiece, events: events.slice(0, at) },
    end: { ...noPiece, events: events.slice(at), last },
  };
}

function splitText(piece: Piece, writer: SafeguardWriter): Split {
  const { text, events, last } = piece;
  const at = writer.place(text);
  if (at >= text.length) return { before: piece };
  const isLater = ({ kind }: ReplyEvent): boolean =>
    kind === "usage" || kind === "stop" || kind === "end" || kind === "fail";
  return {
    before: pieceOf(text.slice(0, at), { events: events.filter((event) => !isLater(event)) }),
    end: pieceOf(text.slice(at), { events: events.filter(isLater), last }),
  };
}

function pieceOf(text: string, rest: Partial<Piece>): Piece {
  return { ...noPiece, ...rest, text, bytes: new TextEncoder().encode(text) };
}

function withResults(
  end: Piece,
  results: readonly SafeguardResult[],
  writer: SafeguardWriter | undefined,
): Piece {
  const events = end.events.map((event): ReplyEvent =>
    event.kind === "stop" ? { ...event, safeguards: results } : event,
  );
  if (writer === undefined) return { ...end, events };
  return pieceOf(writer.streamed(end.text, results), { events, last: end.last });
}
