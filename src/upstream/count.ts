/** Asks a provider that counts tokens to count those of a request. */
import type { ClientFormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import { parseJson } from "../lib/json.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { lacksCredential } from "../providers/connection/credentials.ts";
import { readTextWithin } from "../providers/connection/read-text.ts";
import { endpointsOf, formatsOf, targetIn } from "../providers/connection/target.ts";
import type { Reach } from "../store/env.ts";
import { prepareFor } from "./prepare.ts";
import { send } from "./send.ts";
import type { Ask } from "./upstream.ts";

/** Seconds that a provider's count may take, and bytes that it may have. */
const patience = 5;
const longestCount = 64 * 1024;

/** Where the provider counts for this model, in the client's format if it can; undefined when it doesn't count. */
export function countTarget(model: ListedModel, client: ClientFormatName): Target | undefined {
  const counting = endpointsOf(model.connection).filter((endpoint) => endpoint.counts === true);
  const formats = formatsOf(model).filter((format) =>
    counting.some((endpoint) => endpoint.format === format),
  );
  const format = formats.find((candidate) => candidate === client) ?? formats[0];
  return format === undefined ? undefined : targetIn(model, format, false);
}

/** The first candidate's own count; undefined where its provider does not count, or the question fails. */
export async function providersCount(ask: Ask, reach: Reach): Promise<number | undefined> {
  const [model] = ask.candidates;
  const target = countTarget(model, ask.client.name);
  if (target === undefined) return undefined;
  const credentials = await ask.credentials(model.connection);
  if (lacksCredential(model.connection, credentials.secret)) return undefined;
  try {
    const prepared = prepareFor(ask, model, target);
    const { counting } = prepared.format;
    if (counting === undefined) return undefined;
    const sent = await send({
      prepared: { ...prepared, body: counting.body(prepared.body, target) },
      credentials,
      reach,
      headers: ask.headers,
      query: ask.query,
      trace: ask.trace?.attempt().headers,
      size: ask.request.size,
      signal: AbortSignal.timeout(patience * 1000),
      counts: true,
    });
    if (!sent.ok) return undefined;
    const bounds = { cap: longestCount, time: patience * 1000 };
    const answer = parseJson(await readTextWithin(sent.response, bounds));
    return answer === undefined ? undefined : counting.read(answer);
  } catch {
    // A request that this provider's format cannot say, or a count that breaks off: an estimate answers.
    return undefined;
  }
}
