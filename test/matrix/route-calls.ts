/** One good call of each route of the admin API, on things of a workspace that are there for it. */
import type { AdminCall, RouteName } from "../kit/admin-api.ts";
import type { CallerName } from "./kit/actors.ts";
import { asRoot, type Place } from "./kit/places.ts";

/** The workspace that is meant, and for whom: what is called upon may have to be their own. */
export interface Meant {
  readonly place: Place;
  readonly caller: CallerName;
}

type Calls = {
  readonly [Name in RouteName]: (meant: Meant) => AdminCall<Name> | Promise<AdminCall<Name>>;
};

/** How to call each route. What a call takes away is made for it first. */
export const routeCalls: Calls = {
  "GET /healthz": () => ({}),
  "GET /api/status": () => ({}),
  "POST /api/drain": () => ({ body: { seconds: 3600 } }),
  "GET /api/config": () => ({}),
  "PUT /api/config": async ({ place }) => ({
    body: { ...(await asRoot(place.id, "GET /api/config")), timezone: "Asia/Tokyo" },
  }),
  "POST /api/harnesses/{id}/keys": ({ place }) => ({
    params: { id: place.harness },
    body: { name: "new" },
  }),
  "GET /api/harnesses/{id}/keys": ({ place }) => ({ params: { id: place.harness } }),
  "DELETE /api/harnesses/{id}/keys/{keyId}": async ({ place }) => {
    const made = await asRoot(place.id, `POST /api/harnesses/${place.harness}/keys`, {});
    return { params: { id: place.harness, keyId: String(made["id"]) } };
  },
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
  "GET /api/limits": () => ({}),
  "GET /api/blocks": () => ({}),
  "POST /api/admin-token": () => ({}),
  "DELETE /api/sessions": () => ({}),
  "POST /api/workspaces": () => ({ body: { name: "More" } }),
  "GET /api/workspaces": () => ({}),
  "PATCH /api/workspaces/{id}": ({ place }) => ({
    params: { id: place.id },
    body: { name: "Other" },
  }),
};

function question({ providerId }: Place) {
  return { model: `${providerId}/m`, messages: [{ role: "user", content: "hi" }] };
}
