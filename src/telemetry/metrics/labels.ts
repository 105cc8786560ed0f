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

/**
 * A provider's connection, and its own name of the model. The labels' values of their series are made once each, because
 * a series is found quickest by the very same list of them.
 */
export class ModelLabels {
  readonly provider: string;
  readonly model: string;
  readonly pair: readonly string[];
  readonly #longer = new Map<string, readonly string[]>();

  constructor(provider: string, model: string) {
    this.provider = provider;
    this.model = model;
    this.pair = [provider, model];
  }

  /** The pair with one label more. */
  with(value: string): readonly string[] {
    return this.#kept(value, () => [...this.pair, value]);
  }

  /** Of the end of a request. */
  ended(format: string, status: string, outcome: string): readonly string[] {
    const { provider, model } = this;
    const name = `${format} ${status} ${outcome}`;
    return this.#kept(name, () => [format, provider, model, status, outcome]);
  }

  /** All of these values come from short lists. */
  #kept(name: string, make: () => readonly string[]): readonly string[] {
    let labels = this.#longer.get(name);
    if (labels === undefined) this.#longer.set(name, (labels = make()));
    return labels;
  }
}

/** A request that reached no model. */
export const noModel = new ModelLabels(none, none);

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
    if (provider === other || model === other) return new ModelLabels(provider, other);
    return new ModelLabels(provider, this.#models.of(model));
  }
}
