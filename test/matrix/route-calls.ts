/** One good call of each route of the admin API, on things of a workspace that are there for it. */
import { inject } from "vitest";
import type { AdminCall, RouteName } from "../kit/admin-api.ts";
import { askAdmin } from "../kit/admin-api.ts";
import { send } from "./kit/gateway.ts";
import { accessToken, arrived, sessionOf, type Someone } from "./kit/people.ts";
import { asRoot, type Place } from "./kit/places.ts";

/** The workspace that is meant, and for whom: what is called upon has to be their own where they are somebody. */
export interface Meant {
  readonly place: Place;
  readonly someone?: Someone | undefined;
}

type Calls = {
  readonly [Name in RouteName]: (meant: Meant) => AdminCall<Name> | Promise<AdminCall<Name>>;
};

/** How to call each route. What a call takes away is made for it first. */
export const routeCalls: Calls = {
  "GET /healthz": () => ({}),
  "GET /api/status": () => ({}),
  "GET /api/drain": () => ({}),
  "POST /api/drain": () => ({ body: { seconds: 3600 } }),
  "GET /api/config": () => ({}),
  "PUT /api/config": async ({ place }) => ({
    body: { ...(await asRoot(place.id, "GET /api/config")), timezone: "Asia/Tokyo" },
  }),
  "GET /api/history": () => ({}),
  "POST /api/history/{n}/restore": () => ({ params: { n: "1" } }),
  "POST /api/backup": () => ({ body: { passphrase: "correct horse battery" } }),
  "POST /api/restore": () => ({}),
  "GET /api/audit": () => ({}),
  "POST /api/harnesses/{id}/keys": ({ place }) => ({
    params: { id: place.harness },
    body: { name: "new" },
  }),
  "GET /api/harnesses/{id}/keys": ({ place }) => ({ params: { id: place.harness } }),
  "PATCH /api/harnesses/{id}/keys/{keyId}": async (meant) => ({
    params: { id: meant.place.harness, keyId: await newKey(meant) },
    body: { name: "Renamed", limits: [], models: null },
  }),
  "DELETE /api/harnesses/{id}/keys/{keyId}": async (meant) => ({
    params: { id: meant.place.harness, keyId: await newKey(meant) },
  }),
  "POST /api/providers/{id}/test": ({ place }) => ({ params: { id: place.providerId } }),
  "GET /api/local": () => ({}),
  "GET /api/models": () => ({}),
  "POST /api/route": ({ place }) => ({
    body: { harness: place.harness, format: "chat", body: question(place) },
  }),
  "GET /api/harnesses/{id}/tiers": ({ place }) => ({ params: { id: place.harness } }),
  "GET /api/harnesses/{id}/learning": ({ place }) => ({ params: { id: place.harness } }),
  "DELETE /api/harnesses/{id}/learning": ({ place }) => ({ params: { id: place.harness } }),
  "GET /api/usage": () => ({ query: { group: "model", by: "day" } }),
  "GET /api/summary": () => ({}),
  "GET /api/requests": () => ({}),
  "GET /api/requests/{id}": ({ place }) => ({ params: { id: place.requestId } }),
  "PUT /api/requests/{id}/feedback": ({ place }) => ({
    params: { id: place.requestId },
    body: { verdict: "right" },
  }),
  "DELETE /api/requests/{id}/feedback": ({ place }) => ({ params: { id: place.requestId } }),
  "GET /api/limits": () => ({}),
  "GET /api/blocks": () => ({}),
  "POST /api/admin-token": () => ({}),
  "DELETE /api/sessions": () => ({}),
  "GET /api/me": () => ({}),
  "GET /api/members": () => ({}),
  "POST /api/members": () => ({ body: { email: "new@corp.test", role: "viewer" } }),
  "PATCH /api/members/{id}": async ({ place }) => ({
    params: { id: await newMember(place) },
    body: { role: "member", limits: [] },
  }),
  "DELETE /api/members/{id}": async ({ place }) => ({ params: { id: await newMember(place) } }),
  "GET /api/invitations": () => ({}),
  "POST /api/invitations": () => ({ body: { role: "viewer" } }),
  "DELETE /api/invitations/{id}": async ({ place }) => {
    const made = await asRoot(place.id, "POST /api/invitations", { role: "viewer" });
    return { params: { id: String(made["id"]) } };
  },
  "GET /api/tokens": () => ({}),
  "POST /api/tokens": () => ({ body: { name: "New token", role: "viewer" } }),
  "DELETE /api/tokens/{id}": async ({ place, someone }) => {
    const { id } = await accessToken(place, "viewer", someone && { of: someone });
    return { params: { id } };
  },
  "GET /api/sessions": () => ({}),
  "DELETE /api/sessions/{id}": async ({ someone }) => ({
    params: { id: someone === undefined ? "ses_nobodys" : await sessionOf(someone) },
  }),
  "POST /api/workspaces": () => ({ body: { name: "More" } }),
  "GET /api/workspaces": () => ({}),
  "PATCH /api/workspaces/{id}": ({ place }) => ({
    params: { id: place.id },
    body: { name: "Other" },
  }),
  "GET /api/workspaces/{id}": ({ place }) => ({ params: { id: place.id } }),
  "GET /api/workspaces/{id}/usage": ({ place }) => ({
    params: { id: place.id },
    query: { month: new Date().toISOString().slice(0, 7) },
  }),
  "PUT /api/workspaces/{id}/plan": ({ place }) => ({
    params: { id: place.id },
    body: { plan: "pro" },
  }),
  "GET /api/workspaces/{id}/export": ({ place }) => ({ params: { id: place.id } }),
  "DELETE /api/workspaces/{id}": ({ place }) => ({
    params: { id: place.id },
    query: { confirm: place.id },
  }),
  "GET /api/webhooks": () => ({}),
  "POST /api/webhooks": ({ place }) => ({ body: webhookOf(place) }),
  "DELETE /api/webhooks/{id}": async ({ place }) => ({ params: { id: await newWebhook(place) } }),
  "POST /api/webhooks/{id}/test": async ({ place }) => ({
    params: { id: await newWebhook(place) },
  }),
  "GET /api/webhooks/{id}/deliveries": async ({ place }) => ({
    params: { id: await newWebhook(place) },
  }),
  "POST /api/webhooks/{id}/deliveries/{n}/retry": async ({ place }) => ({
    params: { id: await newWebhook(place), n: "1" },
  }),
  "GET /api/events": () => ({}),
};

/** What is asked for when a route is called upon somebody's things. */
export interface RouteTarget {
  /** `GET /api/usage?by=day`. */
  readonly target: string;
  readonly body: unknown;
}

/** That call, its path and query written out. */
export async function routeTarget(name: RouteName, meant: Meant): Promise<RouteTarget> {
  const { params = {}, query = {}, body } = await routeCalls[name](meant);
  const target = name.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(Reflect.get(params, parameter))),
  );
  const search = new URLSearchParams(query).toString();
  return { target: search === "" ? target : `${target}?${search}`, body };
}

/** The id of a key of theirs; without somebody, of a key that is nobody's in particular. */
export async function newKey({ place, someone }: Meant): Promise<string> {
  const call = `POST /api/harnesses/${place.harness}/keys`;
  if (someone === undefined) return String((await asRoot(place.id, call, {}))["id"]);
  const { text: token } = await accessToken(place, "member", { of: someone });
  const { status, json } = await askAdmin(send, call, { token, body: {} });
  // Who may have none of their own is refused one that is nobody's.
  return status === 201 ? String(json["id"]) : await newKey({ place });
}

/** The id of somebody new in the workspace, a viewer. */
export async function newMember(place: Place): Promise<string> {
  const email = `${crypto.randomUUID()}.${place.canary}@corp.test`;
  return (await arrived(email, { place, role: "viewer" })).user;
}

/** The id of a webhook with a delivery; a new one only where there is none, because each leaves events in the audit log. */
export async function newWebhook(place: Place): Promise<string> {
  interface List {
    data: { id: string; last: unknown }[];
  }
  const { data } = await asRoot<List>(place.id, "GET /api/webhooks");
  const known = data.find(({ last }) => last !== null);
  if (known !== undefined) return known.id;
  const id = String((await asRoot(place.id, "POST /api/webhooks", webhookOf(place)))["id"]);
  await asRoot(place.id, `POST /api/webhooks/${id}/test`);
  return id;
}

/** A receiver of its own. */
function webhookOf({ canary }: Place) {
  return { url: `${inject("upstream")}/lane/${canary}/hook`, events: ["key.expiring" as const] };
}

function question({ providerId }: Place) {
  return { model: `${providerId}/m`, messages: [{ role: "user", content: "hi" }] };
}
