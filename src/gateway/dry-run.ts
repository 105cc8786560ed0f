/** `POST /api/route`: the routing decision for a request's body, nothing counted, nothing forwarded. */
import type { ClientFormatName } from "../core/format-name.ts";
import { Problem } from "../core/problem.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { Foresight } from "../workspace/contract/admission.ts";
import { explained } from "../routing/explain.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Call } from "./call.ts";
import { checks, clientFormats } from "../formats/index.ts";
import { order } from "./order.ts";
import { planRequest, type Plan } from "./plan.ts";
import type { Shell } from "./services.ts";

export interface DryRunInput {
  snapshot: Snapshot;
  harness: string;
  format: ClientFormatName;
  body: JsonObject;
}

/** Throws M300, M101, M302 as the request itself would. */
export async function dryRun(
  input: DryRunInput,
  { services, waitUntil }: Shell,
): Promise<JsonObject> {
  const { snapshot, harness: harnessId, format, body } = input;
  checks[format](withLimit(body));
  const dialect = clientFormats[format];
  const call: Call = {
    id: "req_dry",
    started: services.now(),
    // The headers of the real request are not known here; routing reads them only for hints.
    request: new Request("http://gateway.invalid/", { method: "POST" }),
    dialect,
    client: format,
    policy: services.policy,
    generates: true,
    body,
    size: JSON.stringify(body).length,
  };
  const outcomes = await services.meter.freshOutcomes({
    workspace: snapshot.workspace,
    harness: harnessId,
  });
  const plan = { call, snapshot, harnessId, turn: () => dialect.readRequest(body), outcomes };
  const decided = await planned(plan, { services, waitUntil });
  const foresight = await services.meter.foresee(snapshot.workspace, {
    harness: harnessId,
    candidates: decided.estimates,
    flexible: decided.decision !== undefined,
    ...(decided.sessionKey !== undefined && { session: decided.sessionKey }),
  });
  const now = services.now();
  // Which model comes first is told without the conversation's state: that stands beside it.
  const alone = order({ plan: decided, answer: { ...foresight, session: null } }, now);
  const { tier, reason, confidence } = decided;
  return {
    tier,
    reason,
    confidence,
    signals: {},
    ...(decided.decision && explained(decided.decision)),
    candidates: alone.candidates.map(({ id }) => id),
    ...met(decided, { foresight, now }),
  };
}

/** What stands between the plan and its models: money, health, and the conversation so far. */
function met(
  plan: Plan,
  { foresight, now }: { foresight: Foresight; now: number },
): Record<string, JsonValue> {
  const { affordable, cooling, session } = foresight;
  const { decision } = plan;
  const dear = plan.estimates.filter(({ id }) => !affordable.includes(id));
  const moved = decision && session && order({ plan, answer: foresight }, now);
  return {
    excluded: [
      ...(decision?.excluded ?? []).map(({ id, why }) => ({ id, why })),
      ...dear.map(({ id }) => ({ id, why: "beyond the budget" })),
    ],
    cooling: Object.fromEntries(
      Object.entries(cooling).map(([id, until]) => [id, new Date(until).toISOString()]),
    ),
    ...(moved && {
      conversation: {
        model: session.model,
        verdict: moved.verdict,
        why: moved.why,
        candidates: moved.candidates.map(({ id }) => id),
        ...(moved.costs && { costs: { ...moved.costs } }),
      },
    }),
  };
}

async function planned(
  input: Omit<Parameters<typeof planRequest>[0], "directory" | "fresh">,
  { services, waitUntil }: Shell,
): Promise<ReturnType<typeof planRequest>> {
  const { snapshot } = input;
  try {
    const directory = await services.directory(snapshot, waitUntil);
    return planRequest({ ...input, directory, fresh: false });
  } catch (error) {
    if (!(error instanceof Problem) || error.marker !== "M302") throw error;
    const directory = await services.freshDirectory(snapshot, waitUntil);
    return planRequest({ ...input, directory, fresh: true });
  }
}

/** A dry run need not say how long the answer may be. */
function withLimit(body: JsonObject): JsonObject {
  return { max_tokens: 1, ...body };
}
