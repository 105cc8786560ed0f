/** Who calls: the key from one of the places for it, looked up while the address is counted. */
import { Problem, problemCodes } from "../core/problem.ts";
import type { ClientFormat } from "../core/format.ts";
import type { Policy } from "../policy/policy.ts";
import type { Caller, CountedCaller, Holder, Standing } from "../workspace/client/client.ts";
import type { Received } from "./received.ts";
import type { Services } from "./services.ts";

export interface Identified extends Received {
  readonly holder: Holder;
  /** Where the request was counted for its address. */
  readonly counted: CountedCaller;
}

export type KeyFault = "M001" | "M002" | "M003" | "M004" | "M005";

/** Throws M202 before anything is said about the key, then M001 to M005. */
export async function identify(received: Received, services: Services): Promise<Identified> {
  const tokens = tokensOf(received);
  const address = services.addressOf(received.headers);
  const known = knownAmong(tokens, services);
  if (known !== undefined) {
    const caller = { address, standing: "keyed" } as const;
    const counting = services.workspaces.countAddress(caller);
    // A good key's body arrives meanwhile.
    if (counting instanceof Promise) received.body.begin();
    const answer = await counting;
    if (!answer.ok) throw addressProblem(answer);
    return { ...received, holder: known, counted: { ...caller, token: answer.token } };
  }
  return await lookedUp(received, { tokens, address }, services);
}

/** The same for a key that is not remembered, or not a key at all. */
async function lookedUp(
  received: Received,
  { tokens, address }: { tokens: readonly Token[]; address: string },
  services: Services,
): Promise<Identified> {
  const caller = { address, standing: await standingOf(tokens, services) };
  const [first, found] = await Promise.all([
    countedAs(caller, services),
    findHolder(tokens, services),
  ]);
  const rightful: Standing = typeof found === "string" ? "stranger" : "keyed";
  const counted =
    rightful === caller.standing
      ? first
      : await recounted(first, { ...caller, standing: rightful }, services);
  if (!("token" in counted)) throw addressProblem(counted);
  if (typeof found === "string") throw keyProblem(found, received);
  return { ...received, holder: found, counted };
}

interface FullWindow {
  readonly retryAfter: number;
  readonly limit: number;
}

async function countedAs(
  caller: Caller,
  { workspaces }: Services,
): Promise<CountedCaller | FullWindow> {
  const answer = await workspaces.countAddress(caller);
  return answer.ok ? { ...caller, token: answer.token } : answer;
}

/**
 * Counts the request where it belongs after all: the key's check was right but the key is not good, or it was made
 * with an encryption key that has been dropped, and is good.
 */
async function recounted(
  first: CountedCaller | FullWindow,
  caller: Caller,
  services: Services,
): Promise<CountedCaller | FullWindow> {
  const [counted] = await Promise.all([
    countedAs(caller, services),
    "token" in first ? services.workspaces.uncountAddress(first) : undefined,
  ]);
  return counted;
}

function addressProblem({ limit, retryAfter }: FullWindow): Problem {
  return new Problem(
    problemCodes.addressRate,
    `More than ${limit} requests per minute from this address. Try again in ${retryAfter} s.`,
    { headers: { "Retry-After": String(retryAfter) } },
  );
}

/** The holder of the first key, if it is known to be valid; a key that may be valid has to be looked up. */
function knownAmong(tokens: readonly Token[], { workspaces }: Services): Holder | undefined {
  const first = tokens.find(({ fault }) => fault === undefined);
  return first && workspaces.known(first.text);
}

async function standingOf(tokens: readonly Token[], services: Services): Promise<Standing> {
  return (await provenAmong(tokens, services)) === undefined ? "stranger" : "keyed";
}

/** One key that proves itself is enough. */
async function provenAmong(
  tokens: readonly Token[],
  { workspaces }: Services,
): Promise<string | undefined> {
  for (const { text, fault } of tokens) {
    if (fault === undefined && (await workspaces.standingOf(text)) === "keyed") return text;
  }
  return undefined;
}

/** The key of a request, if its own check proves that it was made here; needs no call. */
export async function provenKey(
  received: Pick<Received, "http" | "headers" | "client">,
  services: Services,
): Promise<string | undefined> {
  return await provenAmong(tokensOf(received), services);
}

/** Any of them may be a valid key; of two faults, the one that got further is reported. */
async function findHolder(
  tokens: readonly Token[],
  services: Services,
): Promise<Holder | KeyFault> {
  let fault: KeyFault = problemCodes.noKey;
  for (const token of tokens) {
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

function tokensOf({
  http,
  headers,
  client,
}: Pick<Received, "http" | "headers" | "client">): Token[] {
  const tokens: Token[] = [];
  const add = (text: string | null): void => {
    if (text !== null) tokens.push(keyToken(text.trim()));
  };
  const authorization = headers.get("authorization");
  if (authorization !== null) tokens.push(bearer(authorization));
  add(headers.get("x-api-key"));
  // Where only clients of this format put them.
  const { keys } = client;
  if (keys === undefined) return tokens;
  add(headers.get(keys.header));
  add(new URL(http.url).searchParams.get(keys.query));
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

/** The problem of a key that is not good. It names the header in which the format's clients send keys. */
export function keyProblem(
  fault: KeyFault,
  { policy, client }: { policy: Pick<Policy, "holder">; client: Pick<ClientFormat, "keys"> },
): Problem {
  const { keys } = client;
  const message = keyMessages[fault]
    .replace("{holder}", policy.holder)
    .replace("{header}", keys?.header ?? "x-api-key")
    .replace("{sent}", keys === undefined ? "as a bearer token" : `in \`${keys.header}\``);
  return new Problem(fault, message);
}

const keyMessages: Record<KeyFault, string> = {
  M001: "Missing API key. Send `Authorization: Bearer <key>` or `{header}: <key>` with a key of a {holder}.",
  M002: "The key is empty.",
  M003: "This is not a key of this gateway: its keys begin with `gw_` and are sent {sent}.",
  M004: "This key has expired. Create a new one for its {holder}.",
  M005: "This key is unknown or was revoked.",
};
