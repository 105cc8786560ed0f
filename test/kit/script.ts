/** What the scripted provider is told to answer, as plain data: it also travels to it over HTTP. */

export interface Script {
  /** Milliseconds before anything is sent. */
  delay?: number;
  /** 200. */
  status?: number;
  headers?: Record<string, string>;
  /** The body in the pieces in which it is written. */
  body?: string | string[];
  /** Milliseconds between two pieces. */
  pace?: number;
  /** Every piece is cut into writes of so many bytes; 1 is byte by byte. */
  chop?: number;
  /** Only so many bytes of the body are written. */
  limit?: number;
  /** Nothing is sent, not even headers. */
  mute?: boolean;
  /** close: as it should be. cut: the connection is closed in the middle. reset: it is reset. hang: nothing more. */
  end?: "close" | "cut" | "reset" | "hang";
}

/** A request as the scripted provider got it. */
export interface Received {
  method: string;
  /** Behind the lane, with the query. */
  path: string;
  headers: Record<string, string>;
  text: string;
  /** Epoch ms of its arrival. */
  at: number;
  /** Epoch ms at which its client went away before the answer was over. */
  leftAt?: number;
  /** Whether the answer was written to its scripted end. */
  finished: boolean;
}

/** A whole JSON answer. */
export function whole(body: unknown, status = 200): Script {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** A streamed answer: one write an event. */
export function stream(events: string[], more: Script = {}): Script {
  return { headers: { "content-type": "text/event-stream" }, body: events, ...more };
}
