/** How many sockets clients hold open in this isolate: each takes a descriptor and memory though it may ask nothing. */

/** Of all sockets, what one key may hold, and all callers together whose key proves nothing. */
const keyShare = 1 / 4;
const strangersShare = 1 / 8;

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

  /**
   * Counts one more. `key`: undefined for a stranger. Returns what gives it back, which may be called again; undefined
   * where there is no room.
   */
  take(key: string | undefined): (() => void) | undefined {
    const name = key ?? "";
    const held = this.#held.get(name) ?? 0;
    const share = Math.ceil(this.#most * (key === undefined ? strangersShare : keyShare));
    if (this.#open >= this.#most || held >= share) return undefined;
    this.#held.set(name, held + 1);
    this.#open += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveBack(name);
    };
  }

  #giveBack(name: string): void {
    const held = (this.#held.get(name) ?? 1) - 1;
    if (held > 0) this.#held.set(name, held);
    else this.#held.delete(name);
    this.#open -= 1;
  }
}
