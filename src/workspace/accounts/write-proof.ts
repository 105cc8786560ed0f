/** Shows that the directory's object writes, to whoever asks whether the deployment is ready. */

/** The directory's step to a row that is written over and over: it shows that the disk takes it. */
export function createWriteProof(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE write_proof (
    one INTEGER PRIMARY KEY CHECK (one = 1), writes INTEGER NOT NULL)`);
}

/** However many isolates ask, a row is written once in so many ms. */
const proofLife = 5000;

export class WriteProof {
  readonly #storage: DurableObjectStorage;
  #provedAt = Number.NEGATIVE_INFINITY;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Resolves when a write of the last seconds is on the disk; rejects where none can be made. */
  async prove(): Promise<void> {
    const now = Date.now();
    if (now - this.#provedAt < proofLife) return;
    this.#storage.sql.exec(
      "INSERT INTO write_proof VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET writes = writes + 1",
    );
    await this.#storage.sync();
    this.#provedAt = now;
  }
}
