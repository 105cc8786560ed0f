/**
 * What workerd prints about clients that break HTTP or WebSockets: an error with a stack of addresses for each. They say
 * nothing of the gateway, and anybody can cause them, so they become one short line, once in a while.
 */
import { printable } from "../printable.ts";

interface Complaint {
  readonly pattern: RegExp;
  /** `detail`: the text of the pattern's group. */
  readonly words: (detail: string) => string;
}

const complaints: readonly Complaint[] = [
  {
    pattern: /WebSocket protocol error;.*protocolError\.description = (.*)$/,
    words: (detail) => `A client broke the WebSocket protocol: ${detail}`,
  },
  {
    pattern: /invalid hostname when stringifying URL; host = (.*)$/,
    words: (detail) => `A client sent an invalid Host header: ${detail}`,
  },
  {
    pattern: /invalid URL; url = (.*)$/,
    words: (detail) => `A client requested an invalid address: ${detail}`,
  },
  {
    pattern: /remote\.jsg\.TypeError: (Invalid URL string)\.$/,
    words: () => "A client sent an invalid Host header or address.",
  },
];

const runtimeError = /^workerd\/\S+: error: Uncaught exception: /;
const stack = /^stack: /;
/** Characters of what a client sent. */
const longestDetail = 100;
/** Milliseconds between two lines of one kind. */
const pause = 1000;

/** Passes lines of workerd on to `write`, short where they are about a client. */
export function shortComplaints(
  write: (line: string) => void,
  now: () => number,
): (line: string) => void {
  const told = new Map<Complaint, number>();
  let follows = false;
  return (line) => {
    if (follows && stack.test(line)) return;
    const complaint = runtimeError.test(line)
      ? complaints.find(({ pattern }) => pattern.test(line))
      : undefined;
    follows = complaint !== undefined;
    if (complaint === undefined) return write(line);
    if (now() - (told.get(complaint) ?? -pause) < pause) return;
    told.set(complaint, now());
    const detail = complaint.pattern.exec(line)?.[1] ?? "";
    write(complaint.words(printable(detail.slice(0, longestDetail))));
  };
}
