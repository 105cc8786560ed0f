/** Who calls: the key from either header, looked up while the address is counted. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { Policy } from "../policy/policy.ts";
import type { Holder } from "../workspace/client.ts";
import type { Received } from "./received.ts";
import type { Services } from "./services.ts";

export interface Identified extends Received {
  readonly holder: Holder;
  /** Where the request was counted for its address. */
  readonly counted: { readonly address: string; readonly token: number };
}

export type KeyFault = "M001" | "M002" | "M003" | "M004" | "M005";

/** Throws M202 before anything is said about the key, then M001 to M005. */
export async function identify(received: Received, services: Services): Promise<Identified> {
  const { headers } = received.http;
  const address = services.addressOf(headers);
  const [counted, found] = await Promise.all([
    services.workspaces.countAddress(address),
    findHolder(headers, services),
  ]);
  if (!counted.ok) {
    throw new Problem(
      problemCodes.addressRate,
      `More than ${counted.limit} requests in a minute from this address. Try again in ${counted.retryAfter} s.`,
      { headers: { "Retry-After": String(counted.retryAfter) } },
    );
  }
  if (typeof found === "string") throw keyProblem(found, received.policy);
  return { ...received, holder: found, counted: { address, token: counted.token } };
}

/** Either header may hold a valid key; of two faults the one that got further is told. */
async function findHolder(headers: Headers, services: Services): Promise<Holder | KeyFault> {
  let fault: KeyFault = problemCodes.noKey;
  for (const token of tokensOf(headers)) {
    const found = token.fault ?? (await services.workspaces.identify(token.text));
    if (typeof found !== "string") return found;
    if (found > fault) fault = found;
  }
  return fault;
}

interface Token {
  text: string;
  fault?: KeyFault;
}

function tokensOf(headers: Headers): Token[] {
  const tokens: Token[] = [];
  const authorization = headers.get("authorization");
  if (authorization !== null) tokens.push(bearer(authorization));
  const apiKey = headers.get("x-api-key");
  if (apiKey !== null) tokens.push(keyToken(apiKey.trim()));
  return tokens;
}

function bearer(value: string): Token {
  const match = /^\s*(\S+)(?:\s+(.*))?$/s.exec(value);
  if (match === null) return { text: "", fault: problemCodes.emptyKey };
  if (match[1]?.toLowerCase() !== "bearer") return { text: "", fault: problemCodes.malformedKey };
  return keyToken(match[2]?.trim() ?? "");
}

function keyToken(text: string): Token {
  if (text === "") return { text, fault: problemCodes.emptyKey };
  return text.startsWith("gw_") ? { text } : { text, fault: problemCodes.malformedKey };
}

/** The problem of a key that is not good. */
export function keyProblem(fault: KeyFault, { holder }: Policy): Problem {
  return new Problem(fault, keyMessages[fault].replace("{holder}", holder));
}

const keyMessages: Record<KeyFault, string> = {
  M001: "No key. Send `Authorization: Bearer <key>` or `x-api-key: <key>` with a key of a {holder}.",
  M002: "The key is empty.",
  M003: "This is not a key of this gateway: its keys begin with `gw_` and are sent as a bearer token.",
  M004: "This key has expired. Make a new one for its {holder}.",
  M005: "This key is not known here, or it was revoked.",
};
