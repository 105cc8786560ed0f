/** The workspace's webhooks: few, so they are in memory. */
import type { Keyring } from "../../store/keyring.ts";
import { renewedWebhookSecret } from "../../store/webhook-secrets.ts";
import type { Actor, AuditEvent } from "../contract/audit.ts";
import type { Webhook, WebhookView } from "../contract/events.ts";
import { countDeliveries } from "../storage/tables/deliveries.ts";
import {
  readLastAttempt,
  readWebhooks,
  removeWebhook,
  rewriteSecret,
  writeWebhook,
} from "../storage/tables/webhooks.ts";

/** Webhooks that a workspace can have. */
const mostWebhooks = 20;

/** What changing webhooks reads and writes. */
export interface WebhooksContext {
  workspace: string;
  storage: DurableObjectStorage;
  /** Adds to the audit log, within the transaction of the change. */
  note: (by: Actor | undefined, deed: Omit<AuditEvent, "actor">) => void;
}

/** Webhooks by their ids, oldest first. */
export class Webhooks {
  readonly #context: WebhooksContext;
  #known: ReadonlyMap<string, Webhook>;

  constructor(context: WebhooksContext) {
    this.#context = context;
    this.#known = readAll(context.storage.sql);
  }

  get all(): Iterable<Webhook> {
    return this.#known.values();
  }

  get(id: string): Webhook | undefined {
    return this.#known.get(id);
  }

  /** False: there are too many. One of the same id is left as it is. */
  add(webhook: Webhook, by: Actor | undefined): boolean {
    if (this.#known.has(webhook.id)) return true;
    if (this.#known.size >= mostWebhooks) return false;
    this.#change((sql) => {
      writeWebhook(sql, webhook);
      this.#context.note(by, {
        action: "webhook.created",
        target: webhook.id,
        after: facts(webhook),
      });
    });
    return true;
  }

  /** False: no webhook has that id. Deletes its deliveries too. */
  remove(id: string, by: Actor | undefined): boolean {
    const webhook = this.#known.get(id);
    if (webhook === undefined) return false;
    this.#change((sql) => {
      removeWebhook(sql, id);
      this.#context.note(by, { action: "webhook.deleted", target: id, before: facts(webhook) });
    });
    return true;
  }

  views(): WebhookView[] {
    const { sql } = this.#context.storage;
    return Array.from(this.#known.values(), ({ sealed_secret: _secret, ...webhook }) => ({
      ...webhook,
      ...countDeliveries(sql, webhook.id),
      last: readLastAttempt(sql, webhook.id),
    }));
  }

  /** Seals every secret with the newest encryption key. */
  async renewSecrets(ring: Keyring): Promise<void> {
    const { workspace, storage } = this.#context;
    for (const { id, sealed_secret } of this.#known.values()) {
      const renewed = await renewedWebhookSecret(sealed_secret, { workspace, id }, ring);
      if (renewed !== undefined) rewriteSecret(storage.sql, id, renewed);
    }
    this.#known = readAll(storage.sql);
  }

  #change(write: (sql: SqlStorage) => void): void {
    const { storage } = this.#context;
    storage.transactionSync(() => write(storage.sql));
    this.#known = readAll(storage.sql);
  }
}

function readAll(sql: SqlStorage): ReadonlyMap<string, Webhook> {
  return new Map(readWebhooks(sql).map((webhook) => [webhook.id, webhook]));
}

/** The path of an address may be a secret: Slack's and Discord's are. */
function facts({ url, events, style }: Webhook): Record<string, unknown> {
  return { url: URL.canParse(url) ? new URL(url).origin : "", events, style };
}
