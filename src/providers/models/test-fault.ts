/** Why a test of a connection failed: the exact cause, the field that it belongs to, and what to do about it. */
import type { Failure } from "../../core/failure.ts";
import type { ProviderFormatName } from "../../core/format-name.ts";
import type { ServerFinding } from "../connection/server-check.ts";

/** Every cause, as the admin API names it. */
export const testCauses = [
  "entry",
  "key_missing",
  "key_form",
  "key_of_other",
  "key_refused",
  "no_credit",
  "rate_limited",
  "private_address",
  "dns",
  "refused",
  "unreachable",
  "timeout",
  "certificate",
  "scheme",
  "closed",
  "not_found",
  "web_page",
  "redirect",
  "too_large",
  "format",
  "model",
  "status",
] as const;

type TestCause = (typeof testCauses)[number];

/** What would work instead: each was tried, or is where the provider itself points. */
export interface TestSuggestion {
  readonly base_url?: string;
  readonly format?: ProviderFormatName;
}

export interface TestFault {
  readonly cause: TestCause;
  /** The member of the entry that is to be corrected, `model` for the model that was asked; missing: none of them. */
  readonly field?: string;
  /** A sentence or two. Without secrets. */
  readonly message: string;
  readonly suggestion?: TestSuggestion;
}

/** What is known of the call that failed. */
export interface FailedCall {
  readonly url: URL;
  /** Whether a key was sent. */
  readonly keyed: boolean;
  /** Whether the form's address can be what is wrong: not where it is the catalogue's, of a service. */
  readonly ownAddress: boolean;
  /** What a look at the server found. */
  readonly finding?: ServerFinding | undefined;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
  /** Bytes that may be read of an answer that had more. */
  readonly cap?: number | undefined;
}

/** The fault behind a failure. */
export function faultOf(failure: Failure, call: FailedCall): TestFault {
  const fault = whatFailed(failure, call);
  // Nothing in the form can mend what is wrong with the catalogue's own address.
  if (fault.field !== "base_url" || call.ownAddress) return fault;
  const { field: _, suggestion: __, ...rest } = fault;
  return rest;
}

function whatFailed(failure: Failure, call: FailedCall): TestFault {
  switch (failure.cause) {
    case "refused":
    case "reset":
    case "timeout":
    case "cut":
    case "empty":
      return unreached(failure, call);
    case "html":
      return atAddress(
        "web_page",
        "This address is a web page, not an API. Enter the base URL of the API, from the provider's documentation.",
      );
    case "wrong_type":
      return call.cap === undefined
        ? atAddress(
            "not_found",
            `${failure.message} Check that the base URL is the provider's API.`,
          )
        : tooLarge(call.cap);
    case "redirect":
      return redirected(call);
    case "status":
    case "stated":
    case "left":
      return answered(failure, call);
    default:
      return failure.cause satisfies never;
  }
}

function atAddress(cause: TestCause, message: string): TestFault {
  return { cause, field: "base_url", message };
}

function tooLarge(cap: number): TestFault {
  const megabytes = cap / 1024 / 1024;
  return atAddress(
    "too_large",
    `The list of models at this address is too large (over ${megabytes} MB). Save anyway, and list the models to use under More settings.`,
  );
}

/** Nothing answered. */
function unreached(failure: Failure, { url, ownAddress, finding }: FailedCall): TestFault {
  const host = url.hostname;
  const place = `${host} on port ${portOf(url)}`;
  switch (finding) {
    case "dns":
      return atAddress(
        "dns",
        ownAddress
          ? `The host name ${host} was not found. Check its spelling.`
          : `The host name ${host} was not found. Check this machine's internet connection.`,
      );
    case "private_address":
      return atAddress(
        "private_address",
        `${host} resolves to a private network address. Only public addresses are allowed here.`,
      );
    case "refused":
      return atAddress(
        "refused",
        `Nothing is listening at ${place}: the connection was refused. Check the port, and that the server is running.`,
      );
    case "unreachable":
      return atAddress(
        "unreachable",
        `${host} cannot be reached from this machine. Check its network, VPN and firewalls.`,
      );
    case "timeout":
      return atAddress("timeout", `${place} did not respond. Check the address and firewalls.`);
    case "certificate_expired":
      return certificate(`The TLS certificate of ${place} has expired. Renew it on the server.`);
    case "certificate_name":
      return certificate(
        `The TLS certificate of ${place} is for another host name. Use the name that it was issued for.`,
      );
    case "certificate_authority":
      return certificate(
        `The TLS certificate of ${place} is self-signed or from an unknown authority. To trust it, set NODE_EXTRA_CA_CERTS to its PEM file and restart the gateway.`,
      );
    case "certificate":
      return certificate(`The TLS certificate of ${place} is not valid. Renew it on the server.`);
    case "http":
      return scheme(url, "http:");
    case "https":
      return scheme(url, "https:");
    case "open":
    case undefined:
      return silent(failure, place);
    default:
      return finding satisfies never;
  }
}

function portOf({ port, protocol }: URL): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}

function certificate(message: string): TestFault {
  return atAddress("certificate", message);
}

function scheme(url: URL, spoken: "http:" | "https:"): TestFault {
  const words =
    spoken === "https:"
      ? `Port ${portOf(url)} uses HTTPS: begin the base URL with https://.`
      : `Port ${portOf(url)} does not use TLS: for plain HTTP begin the base URL with http://.`;
  return atAddress("scheme", words);
}

/** The server takes connections, or nobody could look. */
function silent({ cause }: Failure, place: string): TestFault {
  if (cause === "timeout")
    return atAddress(
      "timeout",
      `${place} did not answer in time. Check that it is an API server and not overloaded, and test again.`,
    );
  return atAddress(
    "closed",
    `${place} closed the connection before it answered. Check the port, and the server's log.`,
  );
}

function redirected({ location }: FailedCall): TestFault {
  const to = location === undefined ? "another address" : withoutQuery(location);
  return atAddress(
    "redirect",
    `This address redirects to ${to}. Redirects are not followed: enter the API's own address.`,
  );
}

function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

const aboutCredit =
  /quota|credit|balance|billing|insufficient[_ ](?:funds|quota)|payment|recharge|exceeded your current/i;
const aboutKey = /api[ _-]?key|token|credential|unauthori[sz]ed|authenticat/i;
const wrongScheme = /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server/i;

/** What the platform's edge answers in place of a server that it does not reach (Cloudflare's 52x and 530). */
const edgeFindings: ReadonlyMap<number, ServerFinding> = new Map([
  [521, "refused"],
  [522, "timeout"],
  [523, "unreachable"],
  [526, "certificate"],
  [530, "dns"],
]);

/** The provider answered with an error. */
function answered(failure: Failure, call: FailedCall): TestFault {
  const { status } = failure;
  const said = quoted(failure.message);
  const told = `${failure.code ?? ""} ${failure.type ?? ""} ${failure.message}`;
  if (status === 400 && wrongScheme.test(failure.message)) return scheme(call.url, "https:");
  if (status === 402 || ([400, 403, 429].includes(status) && aboutCredit.test(told)))
    return {
      cause: "no_credit",
      message: `${worksBut(call)} its account has no credit or quota left. Add credit at the provider, then test again.${said}`,
    };
  if (status === 429)
    return {
      cause: "rate_limited",
      message: `${worksBut(call)} its rate limit is reached. Try again in a minute.${said}`,
    };
  if (status === 401 || status === 403 || (status === 400 && aboutKey.test(told)))
    return refusedKey(failure, call);
  if (status === 404 || status === 405)
    return atAddress(
      "not_found",
      `There is no list of models at this address (HTTP ${status}). Check its path.${said}`,
    );
  const edge = edgeFindings.get(status);
  if (edge !== undefined && call.finding === undefined)
    return unreached(failure, { ...call, finding: edge });
  if (status >= 500)
    return {
      cause: "status",
      message: `The provider has an internal error (HTTP ${status}). Try again later.${said}`,
    };
  return { cause: "status", message: `The provider answered HTTP ${status}.${said}` };
}

function worksBut({ keyed }: FailedCall): string {
  return keyed ? "The API key works, but" : "The provider answers without an API key, but";
}

function refusedKey({ status, message }: Failure, { keyed }: FailedCall): TestFault {
  const words = keyed
    ? `The provider refused this API key (HTTP ${status}). ${status === 403 ? "Check what it is allowed to do" : "Copy it again, or create a new one"}.`
    : `The provider requires an API key (HTTP ${status}). Enter it here.`;
  return { cause: "key_refused", field: "api_key", message: words + quoted(message) };
}

const longestQuote = 300;

/** The provider's own words, where it has any. */
function quoted(message: string): string {
  if (message === "" || message === "The provider gave no reason.") return "";
  return ` It says: “${message.slice(0, longestQuote)}”`;
}
