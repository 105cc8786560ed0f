/** One good call of each route of the dashboard, on things of a workspace that are there for it. */
import { accessToken, sessionOf } from "./kit/people.ts";
import { asRoot, type Place } from "./kit/places.ts";
import { type Meant, newKey, newMember, newWebhook } from "./route-calls.ts";

/** Where a parameter's thing is to be found: `:id` in the paths that begin so. */
const things: readonly (readonly [start: string, thing: (meant: Meant) => Promise<string>])[] = [
  ["/harnesses/", async ({ place }) => place.harness],
  ["/providers/", async ({ place }) => place.providerId],
  ["/requests/", async ({ place }) => place.requestId],
  ["/playground/result/", async ({ place }) => place.requestId],
  ["/workspaces/", async ({ place }) => place.id],
  ["/invitations/", async ({ place }) => await newInvitation(place)],
  ["/members/", async ({ place }) => await newMember(place)],
  ["/webhooks/", async ({ place }) => await newWebhook(place)],
  ["/account/sessions/", async ({ someone }) => (someone ? await sessionOf(someone) : "ses_none")],
  [
    "/account/tokens/",
    async ({ place, someone }) =>
      (await accessToken(place, "viewer", someone && { of: someone })).id,
  ],
];

async function newInvitation(place: Place): Promise<string> {
  return String((await asRoot(place.id, "POST /api/invitations", { role: "viewer" }))["id"]);
}

/** What forms say that must say something. */
const forms: Readonly<Record<string, (place: Place) => Record<string, string>>> = {
  "POST /connect": ({ harness }) => ({ harness, client: "claude-code" }),
  "POST /harnesses": () => ({ name: "New one" }),
  "POST /harnesses/:id/general": () => ({ name: "Renamed" }),
  "POST /harnesses/:id/keys": () => ({ name: "New key" }),
  "POST /harnesses/:id/limits": () => ({
    metric: "cost",
    period: "day",
    max: "5",
    action: "block",
  }),
  "POST /harnesses/:id/limits/delete": () => ({ index: "0" }),
  "POST /harnesses/:id/routing": () => ({ quality: "eco", do: "save" }),
  "POST /harnesses/:id/routing/rules": ({ providerId }) => ({
    name: "nightly",
    header: "x-job",
    value: "1",
    models: `${providerId}/m`,
  }),
  "POST /harnesses/:id/routing/try": () => ({ prompt: "hi", format: "chat" }),
  "POST /playground/run": ({ harness, providerId }) => ({
    harness,
    model: `${providerId}/m`,
    prompt: "hi",
    format: "chat",
  }),
  "POST /playground": ({ harness, providerId }) => ({
    harness,
    model: `${providerId}/m`,
    prompt: "hi",
    format: "chat",
  }),
  "POST /requests/:id/feedback": () => ({ verdict: "right" }),
  "POST /add-provider": () => ({ kind: "custom", id: "more", base_url: "nowhere", do: "test" }),
  "POST /local-servers": () => ({ kind: "demo" }),
  "POST /settings/history/undo": () => ({ n: "2", version: "2" }),
  "POST /account/tokens": () => ({ name: "New token", role: "viewer" }),
  "POST /invitations": () => ({ role: "viewer" }),
  "POST /members/:id/role": () => ({ role: "member" }),
  "POST /workspaces": () => ({ name: "More" }),
  "POST /workspaces/:id": () => ({ name: "Other" }),
  "POST /workspaces/:id/delete": ({ id }) => ({ confirm: id }),
  "POST /workspaces/:id/plan": () => ({ plan: "pro" }),
  "POST /webhooks": () => ({ url: "http://127.0.0.1:9/new", "key.expiring": "on" }),
  "POST /workspace": ({ id }) => ({ workspace: id }),
  "POST /settings/backup": () => ({
    backup_passphrase: "correct horse battery",
    backup_again: "correct horse battery",
  }),
  "POST /settings/data": () => ({ retention_days: "7" }),
  "POST /settings/import": () => ({ document: '{"timezone":"Asia/Tokyo"}' }),
  "POST /settings/import/apply": () => ({ document: '{"timezone":"Asia/Tokyo"}' }),
  "POST /settings/timezone": () => ({ timezone: "Asia/Tokyo" }),
};

/** A call of a page. */
export interface PageCall {
  readonly method: string;
  /** With `/dashboard`. */
  readonly path: string;
  readonly form?: URLSearchParams;
}

/** How to call `POST /harnesses/:id/keys` and the like upon that workspace. */
export async function pageCall(route: string, meant: Meant): Promise<PageCall> {
  const { place } = meant;
  const [method = "", pattern = ""] = route.split(" ");
  const thing = things.find(([start]) => pattern.startsWith(start))?.[1];
  const id = pattern.includes(":id") && thing !== undefined ? await thing(meant) : "";
  const named = pattern
    .replace(":key", pattern.includes(":key") ? await newKey(meant) : "")
    .replace(":n", "1")
    .replace(":id", encodeURIComponent(id));
  const form = method === "POST" ? new URLSearchParams(forms[route]?.(place) ?? {}) : undefined;
  const search = route === "GET /add-provider" ? "?kind=openai" : "";
  return {
    method,
    path: `/dashboard${named === "/" ? "" : named}${search}`,
    ...(form && { form }),
  };
}
