/** Collects the models that cannot serve a request, each once, with the first reason. */
import type { ExcludedModel } from "../contract/decision.ts";

/** Models for which reasons are kept. */
const maxExclusions = 200;

/** A list of exclusion reasons that is filled while candidates are computed. */
export class Exclusions {
  readonly #models: ExcludedModel[] = [];
  readonly #ids = new Set<string>();

  /** Adds a reason, unless the model has one or the list is full. */
  add({ id, why }: ExcludedModel): void {
    if (this.#models.length >= maxExclusions || this.#ids.has(id)) return;
    this.#ids.add(id);
    this.#models.push({ id, why });
  }

  /** The models in the order in which they were excluded. */
  get models(): readonly ExcludedModel[] {
    return this.#models;
  }
}
