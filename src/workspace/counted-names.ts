/** Bounds the names of models in the sums of one workspace: see `rules/model-names.ts`. */
import { countedName, type ModelNames } from "./rules/model-names.ts";
import type { RollupRow } from "./rules/rollup.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { readModelNames } from "./storage/model-names.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** The names that today's usage is added up under. */
export class CountedNames {
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #known: ModelNames;

  constructor(sql: SqlStorage, state: WorkspaceState, writes: WriteBehind) {
    this.#state = state;
    this.#writes = writes;
    this.#known = readModelNames(sql);
  }

  /** The rows, each under the name that its model counts under. */
  counted(rows: readonly RollupRow[], now: number): RollupRow[] {
    const day = this.#state.calendar.span("day", now).start;
    const before = this.#known.names.size;
    const counted = rows.map((row) => {
      const model = countedName(this.#known, row.model, { day, listed: this.#isListed(row.model) });
      return { ...row, model };
    });
    if (this.#known.names.size !== before) this.#writes.changed({ names: this.#known });
    return counted;
  }

  #isListed(model: string): boolean {
    const slash = model.indexOf("/");
    const { providers = [] } = this.#state.snapshot.config;
    const entry = providers.find(({ id }) => id === model.slice(0, slash));
    const id = model.slice(slash + 1);
    return entry?.models?.some((listed) => listed.id === id) ?? false;
  }
}
