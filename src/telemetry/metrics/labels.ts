/** Labels that cannot be made at will: names beyond a number of them count as `other`. */
import { namedModel } from "../named-model.ts";

/** What stands for every name that has no label of its own. */
export const other = "other";
/** What stands for no name at all. */
export const none = "none";

const longestLabel = 200;

/** The names that came first, so many; whatever comes later is `other`. */
class Labels {
  readonly #known = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  of(name: string): string {
    if (this.#known.has(name)) return name;
    // Two names that are written alike would be one series twice, for which a whole scrape is refused.
    const label = name.slice(0, longestLabel).toWellFormed();
    if (this.#known.has(label)) return label;
    if (this.#known.size >= this.#most) return other;
    this.#known.add(label);
    return label;
  }
}

const mostProviders = 50;
const mostModels = 200;

/** A provider's connection, and its own name of the model. */
export interface ModelLabels {
  readonly provider: string;
  readonly model: string;
}

/** A request that reached no model. */
export const noModel: ModelLabels = { provider: none, model: none };

/** Labels of providers and models, of all workspaces together. */
export class ModelLabelTable {
  readonly #providers = new Labels(mostProviders);
  readonly #models = new Labels(mostModels);
  /** By id: cutting it up costs more than looking it up. No more than models have labels. */
  readonly #kept = new Map<string, ModelLabels>();

  /** `isNamed`: whether the workspace itself names the model, and no client. */
  of(id: string, isNamed: (id: string) => boolean): ModelLabels {
    if (!isNamed(id)) return this.#made(namedModel(id, isNamed), other);
    return this.#kept.get(id) ?? this.#remembered(id);
  }

  #remembered(id: string): ModelLabels {
    const labels = this.#made(id, id.slice(id.indexOf("/") + 1));
    if (this.#kept.size < mostModels) this.#kept.set(id, labels);
    return labels;
  }

  #made(id: string, model: string): ModelLabels {
    const provider = this.#providers.of(id.slice(0, Math.max(0, id.indexOf("/"))));
    if (provider === other || model === other) return { provider, model: other };
    return { provider, model: this.#models.of(model) };
  }
}
