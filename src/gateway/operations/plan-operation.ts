/** Which connections serve an operation's request: the model that is named, and the same model elsewhere. Pure. */
import { Problem, problemCodes } from "../../core/problem.ts";
import type { Operation } from "../../operations/operation.ts";
import { knownKinds, recordOf } from "../../providers/catalogue/kinds.ts";
import type { Connection, ListedModel } from "../../providers/connection/connection.ts";
import { offeredOperation } from "../../providers/connection/operations.ts";
import { billedPrices } from "../../providers/models/billed-prices.ts";
import { lookup, type Directory } from "../../providers/models/directory.ts";
import { guessedModel, isSettled, subscriptionMark } from "../../providers/models/models.ts";
import { withinWall } from "../../providers/models/wall.ts";
import type { CandidateEstimate } from "../../workspace/contract/admission.ts";
import {
  heldBy,
  notAllowed,
  unknownModel,
  type Plan,
  type PlanInput,
} from "../candidates/candidates.ts";
import { holdsBounds, mostTokensOf } from "../candidates/estimates.ts";
import { unique } from "../candidates/named-models.ts";
import { pricedModels, refuseUnpriced } from "../candidates/priced-uses.ts";

/**
 * Throws M302 for `auto`, for a model that nobody serves and for one whose provider lacks the operation, M304 for one
 * that the key may not reach, M305 where a strict limit wants its price known, and what `heldBy` throws.
 */
export function planOperation(input: PlanInput): Plan {
  const { request, directory, rules, mergesParameters } = input;
  const held = heldBy(rules);
  const asked = request.operation;
  if (asked === undefined) throw new Error("an operation is planned without one");
  const { operation } = asked;
  const model = namedModel(request.description.model, {
    directory,
    operation,
    aliases: held.harness.aliases,
  });
  if (held.wall?.allows(model.id) === false) throw notAllowed(model.id);
  if (!offers(model.connection, operation)) throw lacking(model.connection, operation, directory);
  refuseUnpriced(model, request, { ...held, directory, mergesParameters });
  const others = sameElsewhere(model, held.harness.routing?.fallbacks?.[model.id] ?? [], {
    directory,
    operation,
  });
  const priced = pricedModels(withinWall(others, held.wall), request, {
    ...held,
    directory,
    mergesParameters,
  });
  const candidates = unique([model, ...priced]);
  return {
    tier: "direct",
    reason: "named by the client",
    confidence: 1,
    candidates,
    estimates: candidates.map((candidate) => estimateFor(candidate, input, held.limits)),
    ...held,
    directory,
  };
}

interface Naming {
  readonly directory: Directory;
  readonly operation: Operation;
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** Vectors, voices and pictures of two models do not compare: nothing is chosen for the client. */
function namedModel(text: string, { directory, operation, aliases = {} }: Naming): ListedModel {
  const exact = Object.hasOwn(aliases, text) ? aliases[text] : undefined;
  const plain = exact ?? text;
  const hidden = hiddenModel(plain, { directory, operation });
  if (hidden !== undefined) return hidden;
  const found = lookup(text, directory, aliases);
  if (found.kind === "model" || found.kind === "unread") return found.model;
  if (found.kind === "auto") throw notAuto(operation);
  throw text.includes("/") ? unknownModel(text) : unlisted(text, operation);
}

/** A model that lists leave out: by its connection and any name, or by the name that one connection alone has. */
function hiddenModel(text: string, { directory, operation }: Naming): ListedModel | undefined {
  if (directory.byId.has(text)) return undefined;
  const slash = text.indexOf("/");
  const connection = slash > 0 ? directory.connections.get(text.slice(0, slash)) : undefined;
  if (connection !== undefined) return named(connection, text.slice(slash + 1), directory);
  const same = (directory.others().get(text) ?? []).filter((model) =>
    offers(model.connection, operation),
  );
  const [only] = same;
  if (same.length <= 1 && directory.byBareId.get(text) === undefined) return only;
  if (same.length > 1) throw ambiguous(text, same);
  return undefined;
}

/** Providers list only some of their models: one that is named with its connection is tried as it is. */
function named(connection: Connection, rest: string, { now }: Directory): ListedModel | undefined {
  const paid = connection.subscription;
  if (rest === "" || isSettled(connection) || (paid && !rest.endsWith(subscriptionMark)))
    return undefined;
  const id = paid ? rest.slice(0, -subscriptionMark.length) : rest;
  return id === "" ? undefined : guessedModel(connection, id, now);
}

/** Of the configured fallbacks those that are the same model: another one would answer something else. */
function sameElsewhere(
  { info }: ListedModel,
  names: readonly string[],
  { directory, operation }: Naming,
): readonly ListedModel[] {
  return names.flatMap((name) => {
    const model = directory.byId.get(name) ?? hiddenModel(name, { directory, operation });
    const same = model?.info.id === info.id && offers(model.connection, operation);
    return same && model !== undefined ? [model] : [];
  });
}

function offers(connection: Connection, { name }: Operation): boolean {
  return offeredOperation(connection, name) !== undefined;
}

/** What the candidate costs at most, as far as its text and its fields say; counted where a limit makes it matter. */
function estimateFor(
  model: ListedModel,
  { request }: PlanInput,
  limits: Plan["limits"],
): CandidateEstimate {
  const { description, operation: asked } = request;
  const prices = billedPrices(model);
  const { maxOutput, answers, serviceTier } = description;
  const kind = asked?.operation.output;
  const output = kind === "none" ? 0 : maxOutput;
  const counted = limits.length > 0 ? asked?.inputTokens() : undefined;
  const input = counted ?? Math.ceil(request.size / charactersOfToken);
  // What is no text cannot be bounded by its tokens.
  const most =
    holdsBounds(limits) && kind !== "uncounted"
      ? mostTokensOf(model, { input, asked: output, answers })
      : undefined;
  return {
    id: model.id,
    input,
    ...(output !== undefined && { asked: output * answers }),
    ...(answers > 1 && { answers }),
    ...(serviceTier !== undefined && { serviceTier }),
    ...(prices !== undefined && { prices }),
    ...(most !== undefined && { most: kind === "none" ? { ...most, output: 0 } : most }),
  };
}

/** What is no text is taken for no more than a text of its size. */
const charactersOfToken = 4;

const readable = (operation: Operation): string => operation.name.replaceAll("_", " ");

function notAuto(operation: Operation): Problem {
  return new Problem(
    problemCodes.modelNotAvailable,
    `Model not available: \`auto\` chooses among models for conversations. Name the model for ${readable(operation)}, as <connection>/<model>.`,
  );
}

/** Lists, by which a bare name is looked up, lack most models for operations. */
function unlisted(text: string, operation: Operation): Problem {
  return new Problem(
    problemCodes.modelNotAvailable,
    `Model not available: no connected provider lists ${JSON.stringify(text.slice(0, 200))}. Name the model for ${readable(operation)} with its connection, as <connection>/<model>.`,
  );
}

const mostNamed = 10;

function ambiguous(text: string, models: readonly ListedModel[]): Problem {
  const ids = models.slice(0, mostNamed).map(({ id }) => JSON.stringify(id));
  return new Problem(
    problemCodes.modelNotAvailable,
    `Model not available: several connections serve ${JSON.stringify(text.slice(0, 200))}. Name one of ${ids.join(", ")}.`,
  );
}

/** Says which provider would serve it: a connected one, or else a kind that could be added. */
function lacking(
  connection: Connection,
  operation: Operation,
  { connections }: Directory,
): Problem {
  const connected = [...connections.values()]
    .filter((each) => offers(each, operation))
    .map(({ id }) => id);
  const kinds = knownKinds.filter(
    (kind) => recordOf(kind)?.operations?.[operation.name] !== undefined,
  );
  const others =
    connected.length > 0
      ? `Connected providers that have it: ${connected.slice(0, mostNamed).join(", ")}.`
      : `No connected provider has it. Kinds that do: ${kinds.join(", ")}.`;
  return new Problem(
    problemCodes.modelNotAvailable,
    `Model not available: the provider ${connection.id} (${connection.kind}) does not offer ${readable(operation)}. ${others}`,
  );
}
