/** One attempt to deliver an event: signed, never redirected, and its answer is not read. */
import { Webhook as Signer } from "standardwebhooks";
import { Problem } from "../../core/problem.ts";
import type { Env } from "../../store/env.ts";
import { reachOf } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { openWebhookSecret } from "../../store/webhook-secrets.ts";
import type { Webhook, WorkspaceEvent } from "../contract/events.ts";
import type { EventLinks } from "../rules/events/event-sentence.ts";
import { webhookBody } from "../rules/events/webhook-body.ts";
import { checkWebhookUrl } from "../rules/events/webhook-url.ts";

/** Milliseconds for everything until the status of the answer is known. */
const timeout = 10_000;

/** How an attempt ended: it arrived if there is no `error`, which is the gateway's own message. */
export interface Attempt {
  /** Null where no answer came. */
  status: number | null;
  error: string | null;
  /** Milliseconds for which the receiver asked to be left alone. */
  retryAfter?: number | undefined;
}

/** Sends one event to one webhook. Never throws. */
export type SendEvent = (webhook: Webhook, event: WorkspaceEvent) => Promise<Attempt>;

/** What sending needs to know. */
export interface SendContext {
  workspace: string;
  env: Env;
  links: EventLinks;
}

/** Sends the workspace's events by `fetch`. */
export function senderOf(context: SendContext): SendEvent {
  return async (webhook, event) => {
    try {
      const request = await requestOf(webhook, event, context);
      return attemptOf(await fetch(request, { signal: AbortSignal.timeout(timeout) }));
    } catch (error) {
      return { status: null, error: faultOf(error) };
    }
  };
}

async function requestOf(
  webhook: Webhook,
  event: WorkspaceEvent,
  { workspace, env, links }: SendContext,
): Promise<Request> {
  const url = checkWebhookUrl(webhook.url, reachOf(env));
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const secret = await openWebhookSecret(
    webhook.sealed_secret,
    { workspace, id: webhook.id },
    ring,
  );
  if (secret === undefined) throw new SecretGoneError();
  const body = JSON.stringify(webhookBody(event, webhook.style, links));
  const now = new Date();
  const headers = {
    "content-type": "application/json",
    "user-agent": "routing-gateway",
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Signer(secret).sign(event.id, now, body),
  };
  return new Request(url, { method: "POST", headers, body, redirect: "manual" });
}

class SecretGoneError extends Error {}

function attemptOf(response: Response): Attempt {
  const { status, ok } = response;
  // Nothing of it is read: a receiver may send without end.
  response.body?.cancel().catch(() => undefined);
  if (ok) return { status, error: null };
  const redirects = status >= 300 && status < 400;
  const error = redirects
    ? "answered with a redirect, which is not followed"
    : `answered ${status}`;
  return { status, error, retryAfter: retryAfterOf(response) };
}

/** Seconds or a date; only what comes with 429 and 503 counts. */
function retryAfterOf({ status, headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null || (status !== 429 && status !== 503)) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text.trim())
    ? Number(text) * 1000
    : Date.parse(text) - Date.now();
  return Number.isFinite(wait) && wait > 0 ? wait : undefined;
}

/** Messages of the runtime may hold the address, which may be a secret. */
function faultOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof SecretGoneError)
    return "its secret can't be decrypted: delete the webhook and add it again";
  const timedOut = error instanceof Error && error.name === "TimeoutError";
  return timedOut ? `no answer within ${timeout / 1000} s` : "no connection";
}
