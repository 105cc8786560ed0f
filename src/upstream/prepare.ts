/** The client's request written for one model: relayed where its provider speaks the client's format, else translated. */
import type { Target } from "../core/model.ts";
import type { ModelRequest } from "../core/request.ts";
import { providerFormats } from "../formats/index.ts";
import { copyExact } from "../lib/exact.ts";
import type { JsonObject } from "../lib/json.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { targetOf } from "../providers/connection/target.ts";
import { applyParameters } from "../translation/apply-parameters.ts";
import { noNames } from "../translation/tool-names.ts";
import type { ClientRequest } from "./client-request.ts";
import type { Ask, Prepared } from "./upstream.ts";

export type Writable = Pick<
  Ask,
  "request" | "client" | "parametersFor" | "cacheKey" | "asIs" | "rewritten"
>;

/** For the ask's first candidate. Throws M300 where that model cannot be told what the request says. */
export function prepare(ask: Ask): Prepared {
  const [model] = ask.candidates;
  const { stream } = ask.request.description;
  return prepareFor(ask, model, targetOf(model, ask.targetAs ?? ask.client.name, stream));
}

/** Headers of the provider's answer that tell the user of their own subscription, which a client of its format may see. */
export function shownHeaders({
  model,
  format,
  relay,
}: Pick<Prepared, "model" | "format" | "relay">): readonly string[] {
  const { subscriptionHeaders = [] } = format.endpoint;
  return relay && model.connection.subscription ? subscriptionHeaders : [];
}

/** The same for a given target of the model. */
export function prepareFor(ask: Writable, model: ListedModel, target: Target): Prepared {
  return target.format === ask.client.name && ask.rewritten !== true
    ? relayed(ask, model, target)
    : translated(ask, model, target);
}

function relayed(
  { request, parametersFor, asIs }: Writable,
  model: ListedModel,
  target: Target,
): Prepared {
  const format = providerFormats[target.format];
  const parameters = asIs ? {} : parametersFor(model.id);
  const { body, quiet, hidesUsage } = format.relayRequest({
    body: request.exact,
    target,
    parameters,
    asIs,
  });
  // The same body may be written for another model, so state is taken out of a copy.
  const own = request.tagged ? copyOf(body, request) : body;
  return {
    model,
    target,
    format,
    relay: true,
    body: own,
    context: { origin: target.connection, names: noNames },
    dropped: request.tagged ? format.scrub(own, target.connection) : [],
    quiet,
    hidesUsage,
  };
}

function copyOf(body: JsonObject, { body: plain, exact }: ClientRequest): JsonObject {
  return exact === plain ? structuredClone(body) : copyExact(body);
}

function translated(
  { request, parametersFor, cacheKey, asIs }: Writable,
  model: ListedModel,
  target: Target,
): Prepared {
  const format = providerFormats[target.format];
  const parameters = asIs ? {} : parametersFor(model.id);
  const adapted = withinMaximum(applyParameters(request.inHub(), parameters), target);
  const written = format.writeRequest(withCacheKey(adapted, cacheKey, target), target);
  format.writeExtraParameters(written.body, parameters);
  return {
    model,
    target,
    format,
    relay: false,
    body: written.body,
    context: { origin: target.connection, names: written.names },
    dropped: written.dropped,
    quiet: written.quiet,
    hidesUsage: false,
  };
}

/**
 * A client takes the limit of the answer from the name of a model that it knows. A provider refuses one beyond its own
 * model's; nothing is lost, as that model could not write more. A relay's is left: its client reads the refusal itself.
 */
function withinMaximum(request: ModelRequest, { maxOutput, traits }: Target): ModelRequest {
  if (request.maxOutput === undefined || maxOutput === undefined) return request;
  const most = Math.max(maxOutput, traits.minOutput);
  return request.maxOutput > most ? { ...request, maxOutput: most } : request;
}

/** Of servers that are only like OpenAI's, nobody knows whether they take a key that their client did not choose. */
function withCacheKey(
  request: ModelRequest,
  keyOf: Writable["cacheKey"],
  { traits }: Target,
): ModelRequest {
  const takesKey = traits.cacheKey && traits.openAiFields;
  if (request.cacheKey !== undefined || !takesKey) return request;
  // Only here: it costs a digest, which a relay has no use for.
  const cacheKey = keyOf?.();
  return cacheKey === undefined ? request : { ...request, cacheKey };
}
