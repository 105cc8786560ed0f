/** The client's request written for one candidate: adapted where the provider speaks its dialect, else translated. */
import { noNames } from "../core/toolnames.ts";
import type { Turn } from "../core/turn.ts";
import type { JsonObject } from "../lib/json.ts";
import { adaptRelay, applyParams, paramsFor, writeExtraParams } from "../providers/adapt.ts";
import { targetOf } from "../providers/connect.ts";
import type { ListedModel } from "../providers/contract.ts";
import type { HarnessEntry } from "../store/config.ts";
import type { Prepared } from "./attempt.ts";
import type { Call } from "./call.ts";
import { dialects } from "./dialects.ts";

export interface PrepareInput {
  call: Call;
  body: JsonObject;
  /** The neutral form, read once and only if somebody needs it. */
  turn: () => Turn;
  harness: HarnessEntry;
  /** Whether the body's text holds this gateway's tag for opaque state. */
  tagged: boolean;
}

/** Throws Problem M300 where this candidate cannot be told what the request says. */
export function prepare(input: PrepareInput, model: ListedModel): Prepared {
  const { call } = input;
  const target = targetOf(model, call.client, input.body["stream"] === true);
  const dialect = dialects[target.format];
  const params = call.policy.adaptsRelays ? paramsFor(input.harness, model.id) : {};
  if (target.format === call.client) {
    const adapted = adaptRelay({
      body: input.body,
      target,
      params,
      plain: !call.policy.adaptsRelays,
    });
    const scrubbed = input.tagged
      ? scrub(adapted.body, { dialect, origin: target.connection })
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
  const written = dialect.writeTurn(applyParams(input.turn(), params), target);
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

/** Foreign state is taken out of a copy: the same body may be written for another candidate. */
function scrub(
  body: JsonObject,
  { dialect, origin }: { dialect: Prepared["dialect"]; origin: string },
): { body: JsonObject; paths: string[] } {
  const copy = structuredClone(body);
  const paths = dialect.scrub(copy, origin);
  return { body: copy, paths };
}
