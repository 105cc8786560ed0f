/** A gateway of a deployment with strangers, in process: sign-in, plans and operators are set up. */
import { createExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { inject } from "vitest";
import type { Env } from "../../../src/store/env.ts";
import worker from "../../../src/worker.ts";
import type { Send } from "../../kit/admin-api.ts";

/** The e-mail addresses that the setting `OPERATORS` names: whose sessions end is another one the next time. */
const operators = Array.from({ length: 200 }, (_, index) => `operator.${index}@corp.test`);
let taken = 0;

/** The address of an operator who never signed in before. */
export function operatorEmail(): string {
  taken += 1;
  const email = operators[taken - 1];
  if (email === undefined) throw new Error("all operators have signed in");
  return email;
}

/** The settings, and the bindings of the test's runtime. */
export const gatewayEnv = {
  // The pool gives the bindings of wrangler.toml, which Env describes.
  ...(bindings as unknown as Env),
  MODE: "cloud",
  ALLOW_PRIVATE_UPSTREAMS: "true",
  SIGN_UP: "invited",
  OPERATORS: operators.join(","),
  PLANS: JSON.stringify({ free: { members: 100 }, pro: {} }),
  BILLING_SECRET: "billing-secret-of-the-tests",
  PUBLIC_URL: "http://gateway.test",
  TRUSTED_IP_HEADER: "x-test-address",
  ...inject("company"),
} satisfies Env;

/** Where the gateway is, for those who walk through it. */
export const gatewayBase = "http://gateway.test";

let addresses = 0;

/** Brings requests to a gateway with these settings, each from an address of its own: nobody waits for what others did wrong. */
export function sendIn(env: Env): Send {
  return async (request) => {
    addresses += 1;
    const address = `10.9.${addresses >> 8}.${addresses & 255}`;
    request.headers.set("x-test-address", address);
    request.headers.set("cf-connecting-ip", address);
    return await worker.fetch(request, env, createExecutionContext());
  };
}

/** One request to the gateway of the settings above. */
export const send: Send = sendIn(gatewayEnv);
