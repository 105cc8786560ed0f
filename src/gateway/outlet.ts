/** The client's side of a stream: writing to it is the only thing that shows whether it is still there. */

export class ClientGone extends Error {}

export interface Outlet {
  /** Throws ClientGone, and aborts the provider's call, when nobody reads any more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Milliseconds since the last write. */
  idleFor(): number;
}

/** After a pause this long the next piece is written in two, so that a client that left is noticed by the second. */
const probePause = 300;

export function outletTo(writer: WritableStreamDefaultWriter, call: AbortController): Outlet {
  let written = Date.now();
  return {
    async write(bytes) {
      const now = Date.now();
      const probe = now - written > probePause && bytes.length > 1;
      written = now;
      try {
        // The writer keeps the order of writes that overlap.
        if (probe) await writer.write(bytes.subarray(0, 1));
        await writer.write(probe ? bytes.subarray(1) : bytes);
      } catch {
        const error = new ClientGone();
        call.abort(error);
        throw error;
      }
    },
    idleFor: () => Date.now() - written,
  };
}
