/** The client's side of a stream: writing to it is the only thing that shows whether it is still there. */
import { joined } from "../lib/bytes.ts";

export class ClientGone extends Error {}

export interface Outlet {
  /** Throws ClientGone, and aborts the provider's call, when the client has stopped reading. */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Writes the first byte of a keep-alive; its rest follows with the next call, or before the next piece. A client
   * that left answers the first byte with a reset, which the rest finds. Nothing is written behind bytes that wait.
   */
  keepAlive(bytes: () => Uint8Array): void;
  /** The rest of a keep-alive is still to be written. */
  keepAliveBegun(): boolean;
  /** Milliseconds since the last write. */
  idleFor(): number;
  /** A write found that the client has gone. */
  gone(): boolean;
  /** Gives up a client that does not read: the write that waits for it throws ClientGone. */
  giveUp(): void;
}

/** After a pause this long the next piece is written in two, so that a client that left is noticed by the second. */
const probePause = 300;

export function outletTo(
  writer: WritableStreamDefaultWriter,
  call: Pick<AbortController, "abort">,
): Outlet {
  let written = Date.now();
  let rest: Uint8Array | undefined;
  let waiting = false;
  let gone = false;
  const left = (): ClientGone => {
    gone = true;
    const error = new ClientGone();
    call.abort(error);
    return error;
  };
  const writePart = async (bytes: Uint8Array): Promise<void> => {
    written = Date.now();
    waiting = true;
    try {
      await writer.write(bytes);
    } catch {
      // The pump learns of it by the abort of the provider's call.
      left();
    } finally {
      waiting = false;
    }
  };
  return {
    async write(piece) {
      const bytes = rest === undefined ? piece : joined([rest, piece]);
      rest = undefined;
      const now = Date.now();
      const probe = now - written > probePause && bytes.length > 1;
      written = now;
      try {
        // The writer keeps the order of writes that overlap.
        if (probe) await writer.write(bytes.subarray(0, 1));
        await writer.write(probe ? bytes.subarray(1) : bytes);
      } catch {
        throw left();
      }
    },
    keepAlive(bytes) {
      if (waiting) return;
      const whole = rest ?? bytes();
      const begins = rest === undefined;
      rest = begins && whole.length > 1 ? whole.subarray(1) : undefined;
      if (whole.length > 0) void writePart(begins ? whole.subarray(0, 1) : whole);
    },
    keepAliveBegun: () => rest !== undefined,
    idleFor() {
      const now = Date.now();
      // A clock that was set back must not put the next keep-alive off.
      written = Math.min(written, now);
      return now - written;
    },
    gone: () => gone,
    giveUp() {
      // Whoever waits for a write is told by that.
      writer.abort(new ClientGone()).catch(() => undefined);
    },
  };
}
