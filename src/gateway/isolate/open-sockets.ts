/** How many sockets clients hold open in this isolate: each takes a descriptor and memory though it may ask nothing. */

/** Of all sockets, what one key may hold, all callers together whose key proves nothing, and each address of theirs. */
const keyShare = 1 / 4;
const strangersShare = 1 / 8;
const strangerShare = 1 / 32;

/** Who opens a socket: a key that proves to be made here, or an address without one. */
export type SocketCaller = { readonly key: string } | { readonly address: string };

/** Counts sockets by whose they are. */
export class OpenSockets {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #open = 0;

  /** On the platform, where a socket is one request. */
  readonly isHosted: boolean;

  /** `most`: sockets that may be open at once. Only a self-hosted process has a boot id. */
  constructor(most: number, { BOOT_ID }: { readonly BOOT_ID?: string }) {
    this.#most = most;
    this.isHosted = BOOT_ID === undefined;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts one more. Returns what gives it back, which may be called again; undefined where there is no room. */
  take(caller: SocketCaller): (() => void) | undefined {
    const bounds = boundsOf(caller);
    const isFull = bounds.some(
      ([name, share]) => (this.#held.get(name) ?? 0) >= Math.ceil(this.#most * share),
    );
    if (this.#open >= this.#most || isFull) return undefined;
    for (const [name] of bounds) this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    this.#open += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      for (const [name] of bounds) this.#giveBack(name);
      this.#open -= 1;
    };
  }

  #giveBack(name: string): void {
    const held = (this.#held.get(name) ?? 1) - 1;
    if (held > 0) this.#held.set(name, held);
    else this.#held.delete(name);
  }
}

type Bound = readonly [name: string, share: number];

function boundsOf(caller: SocketCaller): readonly Bound[] {
  if ("key" in caller) return [[`key ${caller.key}`, keyShare]];
  return [
    ["strangers", strangersShare],
    [`address ${caller.address}`, strangerShare],
  ];
}
