/** The object's one alarm, shared by those who want to be woken: it is set to what is wanted first. */

/** When a caller wants to be woken. */
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
  /** Whose wish the alarm was set for; undefined where an earlier instance set it. */
  #ringer: string | undefined;
  #setting: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Replaces the time of that name; null removes it. An alarm that is already set may still fire. */
  want(name: string, time: number | null, slack = 0): void {
    const known = this.#wishes.get(name);
    if (time === null) this.#wishes.delete(name);
    else this.#wishes.set(name, { time, slack });
    if (time !== null && known?.time !== time) void this.settle();
  }

  /** The alarm rang. Whether it was set for that wish, or the wish is due; it is fulfilled then. */
  takes(name: string, now: number): boolean {
    const isRinger = name === this.#ringer;
    if (isRinger) this.#ringer = undefined;
    const isDue = (this.#wishes.get(name)?.time ?? Infinity) <= now;
    if (isDue) this.#wishes.delete(name);
    return isDue || isRinger;
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
    const [first] = [...this.#wishes].sort(([, one], [, other]) => one.time - other.time);
    if (this.#stopped || first === undefined) return;
    const [name, { time }] = first;
    const latest = Math.min(...Array.from(this.#wishes.values(), (wish) => wish.time + wish.slack));
    const set = await this.#storage.getAlarm();
    if (this.#stopped || (set !== null && set <= latest)) return;
    this.#ringer = name;
    await this.#storage.setAlarm(Math.max(time, Date.now()));
  }
}

function logFailure(error: unknown): void {
  console.error(`the alarm could not be set: ${String(error)}`);
}
