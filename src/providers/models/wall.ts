/** Which models a key may reach: by its harness's list and by its own. */
import type { ListedModel } from "../connection/connection.ts";
import { globOf, type Glob } from "../connection/glob.ts";
import type { Directory } from "./directory.ts";

/** What some lists of models leave. */
export interface ModelWall {
  readonly lists: readonly AllowedModels[];
  /** By `<connection>/<model>`. */
  allows(id: string): boolean;
}

type AllowedModels = readonly string[];

/** What is allowed by every list that is there; undefined where none is, and everything is allowed. */
export function wallOf(...lists: readonly (AllowedModels | undefined)[]): ModelWall | undefined {
  const given = lists.filter((list) => list !== undefined);
  if (given.length === 0) return undefined;
  return { lists: given, allows: (id) => given.every((list) => matcherOf(list)(id)) };
}

/** The models that the wall leaves. */
export function withinWall(
  models: readonly ListedModel[],
  wall: ModelWall | undefined,
): readonly ListedModel[] {
  return (wall?.lists ?? []).reduce(keptBy, models);
}

/** The directory without the models that the wall leaves out. */
export function directoryWithin(directory: Directory, wall: ModelWall | undefined): Directory {
  if (wall === undefined) return directory;
  const models = withinWall(directory.models, wall);
  return { ...directory, models, byId: new Map(models.map((model) => [model.id, model])) };
}

/** Both sides are remembered as long as they live: a list may have a thousand patterns, and a directory as many models. */
const kept = new WeakMap<AllowedModels, WeakMap<readonly ListedModel[], readonly ListedModel[]>>();
const matchers = new WeakMap<AllowedModels, Glob>();

function keptBy(models: readonly ListedModel[], list: AllowedModels): readonly ListedModel[] {
  let ofList = kept.get(list);
  if (ofList === undefined) kept.set(list, (ofList = new WeakMap()));
  const known = ofList.get(models);
  if (known !== undefined) return known;
  const left = models.filter(({ id }) => matcherOf(list)(id));
  ofList.set(models, left);
  return left;
}

function matcherOf(list: AllowedModels): Glob {
  let matcher = matchers.get(list);
  if (matcher === undefined) matchers.set(list, (matcher = newMatcher(list)));
  return matcher;
}

/** An entry without a connection means the model of every connection. */
function newMatcher(list: AllowedModels): Glob {
  const names = new Set(list.filter((entry) => !entry.includes("*")));
  const globs = list.filter((entry) => entry.includes("*")).map(globOf);
  return (id) => {
    const bare = id.slice(id.indexOf("/") + 1);
    return names.has(id) || names.has(bare) || globs.some((fits) => fits(id) || fits(bare));
  };
}
