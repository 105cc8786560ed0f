/** What paths outside the admin API and the dashboard answer to whom, and in which deployment. */

/** Who asks: the columns of the table. */
export const askers = [
  "nobody",
  "root",
  "workspace token",
  "owner",
  "viewer",
  "member",
  "session",
  "key",
  "person's key",
] as const;
/** One of them. */
export type Asker = (typeof askers)[number];

/** Deployments: a team's own with company sign-in, one without it, the hosted one with it and without. */
export const deployments = ["company", "tokens", "cloud", "cloud tokens"] as const;
/** One of them. */
export type Deployment = (typeof deployments)[number];

/** A status for each asker, or one for all. */
type Statuses = string;

function everywhere(statuses: Statuses): Record<Deployment, Statuses> {
  return { company: statuses, tokens: statuses, cloud: statuses, "cloud tokens": statuses };
}

/** Only a team's gateway signs programs in; elsewhere the path is unknown. */
function ofCompany(statuses: Statuses): Record<Deployment, Statuses> {
  return { ...everywhere("404"), company: statuses };
}

/** Only a team's own process knows all of its requests; in the cloud the path is unknown. */
function ofTeam(statuses: Statuses): Record<Deployment, Statuses> {
  return { ...everywhere("404"), company: statuses, tokens: statuses };
}

/** Where people sign in; without the identity provider their sessions are good for nothing. */
function ofSessions(statuses: Statuses): Pick<Record<Deployment, Statuses>, "company" | "cloud"> {
  return { company: statuses, cloud: statuses };
}

/** Keys of clients, whoever holds them; nobody else. */
const keys = everywhere("401 401 401 401 401 401 401 200 200");
/** The same with a body that says nothing. */
const keysToBody = everywhere("401 401 401 401 401 401 401 400 400");
const unknown = everywhere("404");
/** In the admin API a path is told to be unknown to those who are known. */
const unknownAdmin: Record<Deployment, Statuses> = {
  ...everywhere("401 404 404 404 404 404 401 401 401"),
  ...ofSessions("401 404 404 404 404 404 404 401 401"),
};
/** Administrators' tokens in the role that reads; a browser's cookie is no credential there. */
const reading = everywhere("401 200 200 200 200 403 401 401 401");
const readingNone = everywhere("401 404 404 404 404 403 401 401 401");

/** One row a call. */
export const publicTable: Readonly<Record<string, Readonly<Record<Deployment, Statuses>>>> = {
  "GET /.well-known/oauth-authorization-server": ofCompany("200"),
  "POST /oauth/device_authorization": ofCompany("200"),
  "POST /oauth/token": ofCompany("400"),
  "POST /oauth/revoke": ofCompany("200"),
  "GET /managed/settings": ofCompany("401 401 401 401 401 401 401 403 200"),
  "GET /auth/login": { ...unknown, ...ofSessions("302") },
  "GET /auth/callback": { ...unknown, ...ofSessions("400") },
  "POST /auth/logout": everywhere("403"),
  "GET /api/oauth/usage": keys,
  "GET /v1beta/models": keys,
  "GET /v1beta/models/auto": keys,
  "GET /v1beta/tunedModels": keys,
  "POST /v1beta/models/auto:countTokens": keys,
  "POST /models/auto:countTokens": keys,
  "GET /v1beta/models/auto:countTokens": everywhere("405"),
  "GET /v1beta/nothing": unknown,
  "GET /v1beta": unknown,
  "GET /models": keys,
  "GET /models/auto": keys,
  "GET /v1/models/": keys,
  "GET /chat/completions": everywhere("405"),
  "GET /responses/": everywhere("405"),
  "GET /messages": everywhere("405"),
  "POST /v1/metrics": keys,
  "POST /v1/logs": keys,
  "POST /v1/traces": keys,
  "GET /v1/metrics": everywhere("405"),
  "POST /v1/embeddings": keysToBody,
  "POST /v1/images/generations": keysToBody,
  "POST /v1/images/edits": keysToBody,
  "POST /v1/audio/speech": keysToBody,
  "POST /v1/audio/transcriptions": keysToBody,
  "POST /v1/audio/translations": keysToBody,
  "POST /v1/completions": keysToBody,
  "POST /v1/moderations": keysToBody,
  "POST /v1/rerank": keysToBody,
  "GET /v1/embeddings": everywhere("405"),
  "POST /v1/batches": unknown,
  "POST /v1/files": unknown,
  "POST /v1/uploads": unknown,
  "GET /v1/organizations/spend_limits": reading,
  "GET /v1/organizations/spend_limits/effective": reading,
  "GET /v1/organizations/spend_limits/spl_none": readingNone,
  "GET /v1/organizations/spend_limits/effective/more": readingNone,
  "POST /v1/organizations/spend_limits": everywhere("401 200 200 200 403 403 401 401 401"),
  "DELETE /v1/organizations/spend_limits/spl_none": everywhere(
    "401 404 404 404 403 403 401 401 401",
  ),
  "GET /": everywhere("200"),
  "GET /docs": everywhere("308"),
  "GET /docs/": everywhere("200"),
  "GET /docs/README.md": everywhere("200"),
  "GET /docs/nothing": everywhere("404"),
  "POST /docs/": everywhere("405"),
  "GET /api/hello": everywhere("200"),
  "GET /healthz": everywhere("200"),
  "GET /readyz": everywhere("200"),
  "GET /metrics": ofTeam("401 200 401 401 401 401 401 401 401"),
  "GET /protocol": unknown,
  "GET /managed": unknown,
  "GET /oauth/token": unknown,
  "GET /oauth/authorize": unknown,
  "GET /.well-known/openid-configuration": unknown,
  "GET /auth/logout": unknown,
  "GET /auth/session": unknown,
  "GET /v1/organizations/me": unknown,
  "GET /v1/organizations/spend_limit": unknown,
  "GET /api/oauth/token": unknownAdmin,
  "GET /api/unknown": unknownAdmin,
};
