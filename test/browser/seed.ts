/** A workspace in which something has happened, for the pictures. */
import { admin, type Host } from "../smoke/host.ts";
import { sendChat, readConfigDocument, nextFailure, type Stage } from "./stage.ts";

/** What the seed left behind: the id of a request, and a key. */
export interface Seeded {
  readonly request: string;
  readonly key: string;
}

export async function seed(stage: Stage): Promise<Seeded> {
  const { gateway, upstream } = stage;
  const before = await readConfigDocument(gateway);
  const cost = (input: number, output: number) => ({ input, output, cache_read: input / 10 });
  const lab = {
    id: "lab",
    kind: "custom",
    format: "chat",
    base_url: `${upstream.url}/v1`,
    models: [
      {
        id: "small-mini",
        context_window: 131_072,
        max_output: 8192,
        cost: cost(0.2, 0.8),
        capabilities: {
          input_modalities: ["text"],
          output_modalities: ["text"],
          features: ["stream", "tools"],
        },
      },
      {
        id: "large-pro",
        context_window: 400_000,
        max_output: 32_768,
        cost: cost(3, 15),
        capabilities: {
          input_modalities: ["text", "image"],
          output_modalities: ["text"],
          features: ["stream", "tools", "reasoning"],
        },
      },
      {
        id: "painter",
        capabilities: { input_modalities: ["text"], output_modalities: ["image"] },
      },
      {
        id: "embedder",
        capabilities: { input_modalities: ["text"], output_modalities: ["embedding"] },
      },
    ],
  };
  await admin(gateway, "PUT /api/config", {
    ...before,
    timezone: "Europe/Berlin",
    providers: [lab, ...before.providers],
    harnesses: [
      {
        ...before.harnesses[0],
        params: { temperature: 0.2, top_k: 40 },
        routing: {
          tiers: { complex: ["lab/large-pro", "lab/small-mini"] },
          headers: [
            { name: "nightly", header: "x-job", value: "nightly", models: ["lab/small-mini"] },
          ],
        },
        limits: [
          { metric: "cost", period: "day", max: 0.08, action: "block" },
          { metric: "requests", period: "hour", max: 60, action: "notify" },
        ],
      },
      {
        id: "team",
        name: "Team playground",
        aliases: { "gpt-*": "auto" },
        limits: [{ metric: "cost", period: "month", max: 20, action: "block" }],
      },
    ],
  });
  const { key } = await admin<{ key: string }>(gateway, "POST /api/harnesses/default/keys", {
    name: "laptop",
  });
  const { key: other } = await admin<{ key: string }>(gateway, "POST /api/harnesses/team/keys", {
    name: "bench",
    expires_at: "2099-01-01T00:00:00Z",
  });
  const prompts = [
    "Hello",
    "Translate 'good morning' into French.",
    "Refactor the parser so that it no longer backtracks, keep every test green, and explain the complexity.",
    "Prove that the greedy algorithm is optimal for interval scheduling, step by step.",
  ];
  let request = "";
  for (let round = 0; round < 3; round += 1) {
    for (const content of prompts) {
      const answer = await sendChat(gateway, round === 1 ? other : key, {
        stream: round > 0,
        messages: [{ role: "user", content }],
      });
      await answer.text();
      request = answer.headers.get("x-gateway-request-id") ?? request;
    }
  }
  Object.assign(nextFailure, { status: 503, message: "The model is overloaded, try again later." });
  await (await sendChat(gateway, other, { model: "lab/large-pro" })).text();
  Object.assign(nextFailure, { status: 0 });
  await (await sendChat(gateway, key, { model: "lab/unknown-model" })).text();
  const authorization = `Bearer ${key}`;
  const session = {
    authorization,
    "x-gateway-session": "seeded-session",
    "x-gateway-tag": "team=red, env=prod",
  };
  await (await sendChat(gateway, session)).text();
  await sendDelegated(gateway, authorization);
  await reachLimit(stage, "trial", "Trial account");
  return { request, key };
}

/** What a subagent of Claude Code asks, embeddings, and a picture, whose cost nobody knows. */
async function sendDelegated({ base }: Host, authorization: string): Promise<void> {
  const send = (path: string, headers: Record<string, string>, body: object) =>
    fetch(base + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const agent = {
    "x-claude-code-agent-id": "seeded-agent",
    "x-claude-code-parent-agent-id": "seeded-parent",
    "x-claude-code-prompt-id": "seeded-prompt",
  };
  const messages = [{ role: "user", content: "Find the parser." }];
  await (await send("/v1/messages", agent, { model: "auto", max_tokens: 64, messages })).text();
  await (await send("/v1/embeddings", {}, { model: "lab/embedder", input: "Hello" })).text();
  const picture = { model: "lab/painter", prompt: "A dog" };
  await (await send("/v1/images/generations", {}, picture)).text();
}

/** A harness whose limit is used up, so that its history has something to tell. */
export async function reachLimit({ gateway }: Stage, id: string, name: string): Promise<void> {
  const before = await readConfigDocument(gateway);
  const limits = [{ metric: "requests", period: "month", max: 1, action: "block" }];
  const tight = { id, name, limits };
  await admin(gateway, "PUT /api/config", { ...before, harnesses: [...before.harnesses, tight] });
  const { key } = await admin<{ key: string }>(gateway, `POST /api/harnesses/${id}/keys`, {});
  for (let number = 0; number < 3; number += 1) await (await sendChat(gateway, key)).text();
}
