/** `POST /api/route`: the routing decision for a request's body, nothing counted, nothing forwarded. */
import type { ClientFormat, RequestAddress } from "../../core/format.ts";
import type { ClientFormatName } from "../../core/format-name.ts";
import { clientFormats } from "../../formats/index.ts";
import type { HeaderReader } from "../../lib/header-reader.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import { explainDecision } from "../../routing/explanation/explain-decision.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { clientRequest } from "../../upstream/client-request.ts";
import { coolingLast } from "../../upstream/cool-down.ts";
import type { Foresight } from "../../workspace/contract/admission.ts";
import type { Plan } from "../candidates/candidates.ts";
import { finalCandidates } from "../choose.ts";
import { planFrom } from "../plan.ts";
import type { Services, WaitUntil } from "../services.ts";

export interface DryRunInput {
  readonly snapshot: Snapshot;
  readonly harness: string;
  readonly format: ClientFormatName;
  readonly body: JsonObject;
  /** Those of the real request, as far as they are given: clients say in them what a request is for. */
  readonly headers: HeaderReader;
  readonly waitUntil: WaitUntil;
}

/** Throws M300, M101, M302, M304 as the request itself would. */
export async function dryRun(input: DryRunInput, services: Services): Promise<JsonObject> {
  const { snapshot, harness, format, body, headers, waitUntil } = input;
  const { workspaces } = services;
  const client = clientFormats[format];
  // A dry run need not say how long the answer may be.
  const { checkRequest } = client.counting ?? client;
  const address = addressOf(client, body);
  checkRequest(body);
  const text = JSON.stringify(body);
  const request = clientRequest(client, { body, text, ...(address && { address }) });
  const { plan } = await planFrom(
    {
      request,
      headers,
      rules: { harness, snapshot },
      outcomes: await workspaces.freshOutcomes({ workspace: snapshot.workspace, harness }),
      waitUntil,
      newest: () => Promise.resolve({ harness, snapshot }),
    },
    services,
  );
  const foresight = await workspaces.foresee(snapshot.workspace, {
    harness,
    candidates: [...plan.estimates],
    flexible: plan.decision !== undefined,
    ...(plan.sessionKey !== undefined && { session: plan.sessionKey }),
  });
  const now = services.now();
  // Which model comes first is told without the conversation's state: that stands beside it.
  const alone = finalCandidates({ plan, admission: { ...foresight, session: null } }, now);
  const { tier, reason, confidence } = plan;
  return {
    requested_model: request.description.model,
    tier,
    reason,
    confidence,
    ...(plan.role !== undefined && { role: plan.role }),
    signals: {},
    ...(plan.decision && explainDecision(plan.decision)),
    candidates: idsOf(alone.candidates, foresight, now),
    ...obstacles(plan, foresight, now),
  };
}

/** Where the format's paths name the model, a dry run names it in the body, or asks for `auto`. */
function addressOf({ addressed }: ClientFormat, body: JsonObject): RequestAddress | undefined {
  if (addressed !== true) return undefined;
  const { model } = body;
  return { model: typeof model === "string" && model !== "" ? model : "auto", answer: "whole" };
}

function idsOf(candidates: readonly ListedModel[], { cooling }: Foresight, now: number): string[] {
  return coolingLast(candidates, cooling, now).map(({ id }) => id);
}

/** What decides between the plan and its models: budget, health, and the conversation so far. */
function obstacles(plan: Plan, foresight: Foresight, now: number): Record<string, JsonValue> {
  const { affordable, cooling, session } = foresight;
  const { decision } = plan;
  const dear = plan.estimates.filter(({ id }) => !affordable.includes(id));
  const moved = decision && session && finalCandidates({ plan, admission: foresight }, now);
  return {
    excluded: [
      ...(decision?.excluded ?? []).map(({ id, why }) => ({ id, why })),
      ...dear.map(({ id, unnamed }) => ({
        id,
        why: unnamed === true ? "price unknown, and not named" : "beyond the budget",
      })),
    ],
    cooling: Object.fromEntries(
      Object.entries(cooling).map(([id, until]) => [id, new Date(until).toISOString()]),
    ),
    ...(moved && {
      conversation: {
        model: session.model,
        verdict: moved.verdict,
        why: moved.why,
        candidates: idsOf(moved.candidates, foresight, now),
        ...(moved.costs && { costs: { ...moved.costs } }),
      },
    }),
  };
}
