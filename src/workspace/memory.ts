/** What an isolate remembers, the oldest forgotten first. */
export class Memory<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  /** `most`: entries that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name);
  }

  set(name: string, value: Value): void {
    const isFull = this.#entries.size >= this.#most && !this.#entries.has(name);
    const oldest = isFull ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(name, value);
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}
