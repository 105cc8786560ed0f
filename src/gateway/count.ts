/** `POST /v1/messages/count_tokens`: the provider's own count where it has one, else an estimate. */
import { countTokens } from "../tokens/estimate.ts";
import { Problem } from "../core/problem.ts";
import { parseJson } from "../lib/json.ts";
import { countBody, countTarget, readCount as readCountAnswer } from "../upstream/count.ts";
import { lacksCredential, send } from "../upstream/send.ts";
import type { Call } from "./call.ts";
import { refusedLight } from "./handle.ts";
import type { Shell } from "./services.ts";
import { baseHeaders } from "./headers.ts";
import { identify } from "./identify.ts";
import { countLight } from "./light.ts";
import { planRequest, type Plan } from "./plan.ts";
import { prepareFor } from "../upstream/prepare.ts";
import { readCount, type ReadRequest } from "./read.ts";

/** Seconds that a provider's count may take before the estimate answers. */
const patience = 5;

export async function handleCount(call: Call, shell: Shell): Promise<Response> {
  try {
    const identified = await identify(call, shell.services);
    call.holder = identified.holder;
    const request = await readCount(call);
    await countLight(call, shell.services, identified);
    const tokens = (await providersCount(call, request, shell)) ?? countTokens(request.turn());
    const headers = baseHeaders(call);
    headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify({ input_tokens: tokens }), { headers });
  } catch (error) {
    return await refusedLight(call, error);
  }
}

/** The count of the model that would answer, or undefined when its provider does not count in the caller's dialect. */
async function providersCount(
  call: Call,
  request: ReadRequest,
  shell: Shell,
): Promise<number | undefined> {
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before counting");
  const plan = await planned(call, request, shell);
  const model = plan.candidates[0];
  if (model === undefined) return undefined;
  const target = countTarget(model, call.client);
  if (target === undefined) return undefined;
  const credentials = await shell.services.credentials(holder.snapshot, model.connection);
  if (lacksCredential(model.connection, credentials.secret)) return undefined;
  try {
    const prepared = prepareFor({ call, request, harness: {} }, model, target);
    const sent = await send({
      connection: model.connection,
      target,
      dialect: prepared.dialect,
      ...credentials,
      mode: shell.services.mode,
      body: countBody(prepared.body, target),
      query: new URL(call.request.url).search,
      headers: call.request.headers,
      signal: AbortSignal.timeout(patience * 1000),
      relay: prepared.relay,
      counts: true,
    });
    if (!sent.ok) return undefined;
    const answer = parseJson(await sent.response.text());
    return answer === undefined ? undefined : readCountAnswer(answer, target.format);
  } catch {
    // A request that cannot be said to this provider, or a count that breaks off: the estimate answers.
    return undefined;
  }
}

async function planned(
  call: Call,
  request: ReadRequest,
  { services, waitUntil }: Shell,
): Promise<Plan> {
  const { holder } = call;
  if (!holder) throw new Error("the caller is identified before planning");
  const { snapshot, harness: harnessId } = holder;
  const outcomes = services.meter.outcomes(holder);
  const input = { call, snapshot, harnessId, turn: request.turn, outcomes };
  try {
    return planRequest({
      ...input,
      directory: await services.directory(snapshot, waitUntil),
      fresh: false,
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.marker !== "M302") throw error;
    return planRequest({
      ...input,
      directory: await services.freshDirectory(snapshot, waitUntil),
      fresh: true,
    });
  }
}
