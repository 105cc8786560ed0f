/** The documents that an isolate remembers: as many as fit, the one longest unused forgotten first. */
import type { Snapshot } from "../../store/snapshot.ts";

interface Remembered {
  readonly snapshot: Snapshot;
  /** Characters of its JSON text. */
  readonly length: number;
}

/** Remembers the newest snapshot of each workspace. */
export class SnapshotMemory {
  /** By workspace, the one longest unused first. */
  readonly #snapshots = new Map<string, Remembered>();
  readonly #most: number;
  #total = 0;

  /** `most`: characters of all texts together; the newest snapshot is kept however long it is. */
  constructor(most: number) {
    this.#most = most;
  }

  get(workspace: string): Snapshot | undefined {
    const known = this.#snapshots.get(workspace);
    if (known === undefined) return undefined;
    this.#snapshots.delete(workspace);
    this.#snapshots.set(workspace, known);
    return known.snapshot;
  }

  set(snapshot: Snapshot): void {
    const { workspace, generation } = snapshot;
    const before = this.#snapshots.get(workspace);
    const isSame = before?.snapshot.generation === generation;
    // Its text is measured once a generation.
    const length = isSame ? before.length : JSON.stringify(snapshot).length;
    this.#forget(workspace);
    this.#snapshots.set(workspace, { snapshot, length });
    this.#total += length;
    for (const oldest of this.#snapshots.keys()) {
      if (this.#total <= this.#most || oldest === workspace) return;
      this.#forget(oldest);
    }
  }

  #forget(workspace: string): void {
    this.#total -= this.#snapshots.get(workspace)?.length ?? 0;
    this.#snapshots.delete(workspace);
  }
}
