/** The client's request written for one candidate: adapted where the provider speaks its dialect, else translated. */
import { noNames } from "../translation/tool-names.ts";
import { copyExact } from "../lib/exact.ts";
import type { JsonObject } from "../lib/json.ts";
import { adaptRelay, applyParams, paramsFor, writeExtraParams } from "../translation/relay.ts";
import { targetOf } from "../providers/connection/connect.ts";
import type { Target } from "../core/model.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { HarnessEntry } from "../store/config.ts";
import type { Prepared } from "./attempt.ts";
import type { Call } from "../gateway/call.ts";
import { formats } from "../formats/index.ts";
import type { ReadRequest } from "../gateway/read.ts";

export interface PrepareInput {
  call: Call;
  request: ReadRequest;
  harness: Pick<HarnessEntry, "params" | "model_params">;
}

/** Throws Problem M300 where this candidate cannot be told what the request says. */
export function prepare(input: PrepareInput, model: ListedModel): Prepared {
  const stream = input.request.body["stream"] === true;
  return prepareFor(input, model, targetOf(model, input.call.client, stream));
}

/** The same for a dialect of the provider's that is given. */
export function prepareFor(input: PrepareInput, model: ListedModel, target: Target): Prepared {
  const { call, request } = input;
  const dialect = formats[target.format];
  const params = call.policy.adaptsRelays ? paramsFor(input.harness, model.id) : {};
  if (target.format === call.client) {
    const adapted = adaptRelay({
      body: request.exact,
      target,
      params,
      plain: !call.policy.adaptsRelays,
    });
    const scrubbed = request.tagged
      ? scrub(ownCopy(adapted.body, request), { dialect, origin: target.connection })
      : { body: adapted.body, paths: [] };
    return {
      model,
      target,
      dialect,
      relay: true,
      body: scrubbed.body,
      context: { origin: target.connection, names: noNames },
      dropped: scrubbed.paths,
      quiet: adapted.quiet,
      hidesUsage: adapted.hidesUsage,
    };
  }
  const written = dialect.writeRequest(applyParams(request.turn(), params), target);
  writeExtraParams(written.body, params, target.format);
  return {
    model,
    target,
    dialect,
    relay: false,
    body: written.body,
    context: { origin: target.connection, names: written.names },
    dropped: written.dropped,
    quiet: written.quiet,
    hidesUsage: false,
  };
}

/** The same body may be written for another candidate. */
function ownCopy(body: JsonObject, { body: plain, exact }: ReadRequest): JsonObject {
  return exact === plain ? structuredClone(body) : copyExact(body);
}

/** Takes foreign state out of the body. */
function scrub(
  body: JsonObject,
  { dialect, origin }: { dialect: Prepared["dialect"]; origin: string },
): { body: JsonObject; paths: string[] } {
  const paths = dialect.scrub(body, origin);
  return { body, paths };
}
