/** One good call of each route of the dashboard, on things of a workspace that are there for it. */
import type { Place } from "./kit/places.ts";

/** Where a parameter's thing is to be found. */
const things: readonly (readonly [start: string, thing: (place: Place) => string])[] = [
  ["/harnesses/", ({ harness }) => harness],
  ["/providers/", ({ providerId }) => providerId],
  ["/requests/", ({ requestId }) => requestId],
  ["/playground/result/", ({ requestId }) => requestId],
];

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
  "POST /providers": () => ({ kind: "custom", id: "more", base_url: "nowhere" }),
  "POST /settings/import": () => ({ document: '{"timezone":"Asia/Tokyo"}' }),
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
export function pageCall(route: string, place: Place): PageCall {
  const [method = "", pattern = ""] = route.split(" ");
  const thing = things.find(([start]) => pattern.startsWith(start))?.[1];
  const named = pattern
    .replace(":key", place.keyId)
    .replace(":id", thing === undefined ? place.id : encodeURIComponent(thing(place)));
  const form = method === "POST" ? new URLSearchParams(forms[route]?.(place) ?? {}) : undefined;
  const search = route === "GET /providers/new" ? "?kind=openai" : "";
  return {
    method,
    path: `/dashboard${named === "/" ? "" : named}${search}`,
    ...(form && { form }),
  };
}
