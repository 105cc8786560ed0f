/** The object's one alarm, shared by those who want to be woken: it is set to what is wanted first. */

/** When somebody wants to be woken. */
interface Wish {
  /** Epoch ms. */
  time: number;
  /** Milliseconds by which it may come later. */
  slack: number;
}

/** Wishes by name, in memory; those of an earlier instance are wished for again at the start. */
export class Alarm {
  readonly #storage: DurableObjectStorage;
  readonly #wishes = new Map<string, Wish>();
  #setting: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Replaces the wish of that name; null takes it back. An alarm that is set already may come all the same. */
  want(name: string, time: number | null, slack = 0): void {
    const known = this.#wishes.get(name);
    if (time === null) this.#wishes.delete(name);
    else this.#wishes.set(name, { time, slack });
    if (time !== null && known?.time !== time) void this.settle();
  }

  /** The alarm rang. Whether that wish is due; it is fulfilled then. */
  takes(name: string, now: number): boolean {
    const wish = this.#wishes.get(name);
    if (wish === undefined || wish.time > now) return false;
    this.#wishes.delete(name);
    return true;
  }

  /** The alarm belongs to somebody else from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Sets the alarm where what is set comes too late: setting it is a written row. */
  async settle(): Promise<void> {
    this.#setting = this.#setting.then(() => this.#set()).catch(logFailure);
    await this.#setting;
  }

  async #set(): Promise<void> {
    const wishes = [...this.#wishes.values()];
    if (this.#stopped || wishes.length === 0) return;
    const first = Math.min(...wishes.map(({ time }) => time));
    const latest = Math.min(...wishes.map(({ time, slack }) => time + slack));
    const set = await this.#storage.getAlarm();
    if (this.#stopped || (set !== null && set <= latest)) return;
    await this.#storage.setAlarm(Math.max(first, Date.now()));
  }
}

function logFailure(error: unknown): void {
  console.error(`the alarm could not be set: ${String(error)}`);
}
