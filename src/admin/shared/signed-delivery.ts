/** What the billing system sends: proven by its signature before anything of it is read. */
import { invalid, Problem, problemCodes } from "../../core/problem.ts";
import { signedAt } from "../../store/billing.ts";
import type { Env } from "../../store/env.ts";
import { hashKey } from "../../store/keys.ts";
import { boundedBytes } from "./request-body.ts";

/** The header of signatures, on what comes and on what goes. */
export const signatureHeader = "x-gateway-signature";

/** A delivery whose signature is right. */
export interface SignedDelivery {
  /** When it was signed, unix seconds. */
  readonly time: number;
  /** `Idempotency-Key`. */
  readonly key: string;
  /** Hash of its body. */
  readonly body: string;
}

const longestDelivery = 64 * 1024;
const longestKey = 255;

/**
 * The delivery, and the request with a body that can be read again. Throws 401 for a signature that is wrong or not of
 * these minutes, 400 without an `Idempotency-Key`.
 */
export async function signedDelivery(
  env: Env,
  request: Request,
): Promise<{ delivery: SignedDelivery; request: Request }> {
  const { url, method, headers } = request;
  const body = await boundedBytes(request, longestDelivery);
  const signature = headers.get(signatureHeader) ?? "";
  const time = await signedAt(env, { signature, body }, Date.now());
  if (time === undefined) throw wrongSignature();
  const key = headers.get("idempotency-key") ?? "";
  if (key === "" || key.length > longestKey)
    throw invalid("Idempotency-Key", `must be a header of 1 to ${longestKey} characters`);
  const digest = await hashKey(new TextDecoder().decode(body));
  return {
    delivery: { time, key, body: digest },
    request: new Request(url, { method, headers, body }),
  };
}

function wrongSignature(): Problem {
  return new Problem(
    problemCodes.noKey,
    "The signature is wrong, or was not made within the last five minutes.",
    { code: "signature" },
  );
}
