/** Workspaces with something of every kind in them, each thing marked with the workspace's own word. */
import { openLane, provider, replyScript, type Json } from "../../kit/asking.ts";
import { askAdmin } from "../../kit/admin-api.ts";
import { gatewayEnv, send } from "./gateway.ts";

/** A workspace of the matrix. */
export interface Place {
  readonly id: string;
  /** Stands in everything that the workspace holds, and nowhere else. */
  readonly canary: string;
  /** Stands in its texts and secrets, and in no name that the deployment's accounting needs. */
  readonly hidden: string;
  readonly harness: string;
  readonly providerId: string;
  /** The workspace's own administrator's token. */
  readonly token: string;
  /** The id of a key that belongs to nobody in particular. */
  readonly keyId: string;
  /** The text of that key. */
  readonly key: string;
  /** The id of a row of the log that this key made. */
  readonly requestId: string;
}

/** One call of the deployment's administrator in that workspace; throws on an error status. */
export async function asRoot<Answer = Json>(
  workspace: string | undefined,
  call: string,
  body?: unknown,
): Promise<Answer> {
  const caller = { token: gatewayEnv.ADMIN_TOKEN, ...(workspace !== undefined && { workspace }) };
  const { status, json } = await askAdmin(send, call, {
    ...caller,
    ...(body !== undefined && { body }),
  });
  if (status >= 400) throw new Error(`${call}: ${status} ${JSON.stringify(json)}`);
  // The tests name the contract's shape of each call.
  return json as Answer;
}

/** A new workspace with a provider, a harness, a key, and a request in its log. */
export async function makePlace(): Promise<Place> {
  const canary = `canary-${crypto.randomUUID().slice(0, 8)}`;
  const hidden = `hidden-${crypto.randomUUID().slice(0, 8)}`;
  const made = await asRoot(undefined, "POST /api/workspaces", { name: `Workspace ${canary}` });
  const id = String(made["id"]);
  const harness = `h-${canary}`;
  const providerId = `p-${canary}`;
  await asRoot(id, "PUT /api/config", await documentOf({ canary, hidden, harness, providerId }));
  const name = `Key ${canary} ${hidden}`;
  const key = await asRoot(id, `POST /api/harnesses/${harness}/keys`, { name });
  const asked = { canary: `${canary} ${hidden}`, model: `${providerId}/m` };
  const requestId = await oneRequest(String(key["key"]), asked);
  return {
    id,
    canary,
    hidden,
    harness,
    providerId,
    token: String(made["admin_token"]),
    keyId: String(key["id"]),
    key: String(key["key"]),
    requestId,
  };
}

type Names = Pick<Place, "canary" | "hidden" | "harness" | "providerId">;

async function documentOf({ canary, hidden, harness, providerId }: Names): Promise<Json> {
  const lane = openLane();
  await lane.answer(replyScript("chat", { text: `Answer ${canary} ${hidden}` }, { stream: false }));
  const limits = [{ metric: "requests", period: "day", max: 100_000, action: "notify" }];
  return {
    providers: [
      provider({
        id: providerId,
        format: "chat",
        lane,
        api_key: providerSecret(hidden),
        headers: { "x-team": canary, "x-note": hidden },
      }),
    ],
    harnesses: [{ id: harness, name: `Harness ${canary} ${hidden}`, log_text: true, limits }],
  };
}

/** The credential of a provider of the workspace with that word. */
export function providerSecret(hidden: string): string {
  return `sk-test-${hidden}`;
}

/** Makes one request with that key, and gives the id of its row. */
export async function oneRequest(
  key: string,
  { canary, model }: { canary: string; model: string },
): Promise<string> {
  const messages = [{ role: "user", content: `Question ${canary}` }];
  const answer = await send(
    new Request("http://gateway.test/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages }),
    }),
  );
  const text = await answer.text();
  if (!answer.ok || !text.includes(canary)) throw new Error(`${answer.status} ${text}`);
  return String(answer.headers.get("x-gateway-request-id"));
}
