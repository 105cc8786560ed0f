/** Bounds the names of models in the sums of one workspace: see `rules/sums/model-names.ts`. */
import { countedName, type ModelNames } from "./rules/sums/model-names.ts";
import type { Config } from "../store/config.ts";
import type { RollupRow } from "./rules/sums/rollup.ts";
import type { WorkspaceState } from "./rules/state.ts";
import { readModelNames } from "./storage/tables/model-names.ts";
import type { WriteBehind } from "./storage/write-behind.ts";

/** The names that today's usage is added up under. */
export class CountedNames {
  readonly #state: WorkspaceState;
  readonly #writes: WriteBehind;
  readonly #known: ModelNames;

  constructor(sql: SqlStorage, state: WorkspaceState, writes: WriteBehind) {
    this.#state = state;
    this.#writes = writes;
    this.#known = writes.batch.names ?? readModelNames(sql);
  }

  /** The rows, each under the name that its model counts under. */
  counted(rows: readonly RollupRow[], now: number): readonly RollupRow[] {
    const day = this.#state.calendar.span("day", now).start;
    const before = this.#known.names.size;
    const listed = listedModels(this.#state.snapshot.config);
    const isListed = (model: string): boolean => listed.has(model);
    const counted = rows.map((row) => {
      const model = countedName(this.#known, row.model, { day, isListed });
      return model === row.model ? row : { ...row, model };
    });
    if (this.#known.names.size !== before) this.#writes.changed({ names: this.#known });
    return counted;
  }
}

/** Of each document, made when it is first asked for. */
const listedIn = new WeakMap<Config, ReadonlySet<string>>();

/** `<connection>/<model>` of all models that the document lists. */
function listedModels(config: Config): ReadonlySet<string> {
  let listed = listedIn.get(config);
  if (listed !== undefined) return listed;
  const { providers = [] } = config;
  listed = new Set(
    providers.flatMap(({ id, models = [] }) => models.map((model) => `${id}/${model.id}`)),
  );
  listedIn.set(config, listed);
  return listed;
}
