/**
 * What the gateway itself refuses, thrown once and worded once. A `Problem` is rendered by the caller's
 * format and the deployment's variant; nothing else about it is decided where it is thrown.
 */
import type { JsonObject } from "../lib/json.ts";

/** The codes that users see, by what they mean. */
export const problemCodes = {
  noKey: "M001",
  emptyKey: "M002",
  malformedKey: "M003",
  expiredKey: "M004",
  unknownKey: "M005",
  providerCredential: "M100",
  noProvider: "M101",
  limitReached: "M200",
  workspaceRate: "M201",
  addressRate: "M202",
  concurrency: "M203",
  monthlyQuota: "M204",
  invalidRequest: "M300",
  unknownPath: "M301",
  modelNotAvailable: "M302",
  privateAddress: "M303",
  modelNotAllowed: "M304",
  priceUnknown: "M305",
  internal: "M500",
  overloaded: "M501",
} as const;

export type ProblemCode = (typeof problemCodes)[keyof typeof problemCodes];

/** What each code means to callers, unless the place that throws it says otherwise. */
const problems = {
  M001: { status: 401, type: "auth_error", code: "gateway_auth" },
  M002: { status: 401, type: "auth_error", code: "gateway_auth" },
  M003: { status: 401, type: "auth_error", code: "gateway_auth" },
  M004: { status: 401, type: "auth_error", code: "gateway_auth" },
  M005: { status: 401, type: "auth_error", code: "gateway_auth" },
  M100: { status: 401, type: "auth_error", code: "provider_credential" },
  M101: { status: 400, type: "invalid_request_error", code: "no_provider" },
  M200: { status: 200, type: "limit_exceeded", code: "limit_exceeded" },
  M201: { status: 429, type: "rate_limit_error", code: "rate_limit_workspace" },
  M202: { status: 429, type: "rate_limit_error", code: "rate_limit_ip" },
  M203: { status: 429, type: "rate_limit_error", code: "concurrency_limit" },
  M204: { status: 402, type: "insufficient_quota", code: "PLAN_LIMIT_REQUESTS" },
  M300: { status: 400, type: "invalid_request_error", code: "invalid_request" },
  M301: { status: 404, type: "invalid_request_error", code: "not_found" },
  M302: { status: 404, type: "invalid_request_error", code: "model_not_available" },
  M303: { status: 400, type: "invalid_request_error", code: "private_address" },
  M304: { status: 403, type: "permission_error", code: "model_not_allowed" },
  M305: { status: 402, type: "invalid_request_error", code: "price_unknown" },
  M500: { status: 500, type: "server_error", code: "internal_error" },
  M501: { status: 503, type: "server_error", code: "overloaded" },
} as const satisfies Record<ProblemCode, { status: number; type: string; code: string }>;

export interface ProblemDetails {
  /** Replaces the table's status (413, 415, 405 …). */
  status?: number;
  /** The status by which formats name the error's type, where that is another. */
  typeStatus?: number;
  /** Replaces the table's `error.type`. */
  type?: string;
  /** Replaces the table's `error.code`. */
  code?: string;
  /** Extra members of `error` (limit, used …). */
  extra?: JsonObject;
  /** Extra response headers (Retry-After, Allow …). */
  headers?: Record<string, string>;
  /** The limit or quota that is used up, where that is the reason. */
  usedUp?: UsedUp;
  /** Clients know these very words, or act on the code: nothing is added to them. */
  exact?: true;
}

/** What is used up until its period ends. */
export interface UsedUp {
  readonly metric: "cost" | "tokens" | "requests";
  readonly period: "hour" | "day" | "week" | "month";
  /** ISO 8601 UTC, where it is known. */
  readonly resetsAt?: string;
}

export class Problem extends Error {
  readonly marker: ProblemCode;
  readonly status: number;
  readonly typeStatus: number;
  readonly type: string;
  readonly code: string;
  readonly extra: JsonObject;
  readonly headers: Record<string, string>;
  readonly usedUp: UsedUp | undefined;
  readonly exact: boolean;

  constructor(marker: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message);
    const row = problems[marker];
    this.marker = marker;
    this.status = details.status ?? row.status;
    this.typeStatus = details.typeStatus ?? this.status;
    this.type = details.type ?? row.type;
    this.code = details.code ?? row.code;
    this.extra = details.extra ?? {};
    this.headers = details.headers ?? {};
    this.usedUp = details.usedUp;
    this.exact = details.exact ?? false;
  }
}

/** M300 that names the field: `path` in the client's own words. */
export function invalid(path: string, message: string): Problem {
  return new Problem("M300", `${path}: ${message}`);
}

/** M305 for what has no known price: a model, or a tool, a plugin or a kind of output of one. */
export function unknownPrice(what: string): Problem {
  return new Problem(
    "M305",
    `The price of ${what} is unknown, and a strict cost limit applies to this request. Leave out what has no price, use another model, or, where it is the model itself, set its "cost" in its provider's "models" (input and output, USD per million tokens; 0 means free).`,
  );
}

/** The same problem with headers more. */
export function withHeaders(problem: Problem, headers: Readonly<Record<string, string>>): Problem {
  const { marker, message, status, typeStatus, type, code, extra, usedUp, exact } = problem;
  return new Problem(marker, message, {
    status,
    typeStatus,
    type,
    code,
    extra,
    headers: { ...problem.headers, ...headers },
    ...(usedUp !== undefined && { usedUp }),
    ...(exact && { exact }),
  });
}
