import { describe, expect, it } from "vitest";
import type { Failure, FailureCause } from "../../src/core/failure.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { policyOf } from "../../src/policy/choose.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import { requestTimer } from "../../src/lib/request-timer.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { fallback } from "../../src/upstream/fallback.ts";
import { longestPause } from "../../src/upstream/retry.ts";
import { start, type Opened } from "../../src/upstream/start.ts";
import type { Ask, Started, Upstream } from "../../src/upstream/upstream.ts";
import { longestWhole, rememberTimes } from "../../src/upstream/whole-times.ts";
import { modelOf } from "../providers/kit.ts";

const base = { kind: "custom", format: "chat", base_url: "http://127.0.0.1:9/v1" } as const;

function askOf(stream: boolean, ...models: [ListedModel, ...ListedModel[]]): Ask {
  const body = { model: models[0].id, messages: [{ role: "user", content: "hi" }], stream };
  return {
    request: clientRequest(chat.client, { body, text: JSON.stringify(body) }),
    client: chat.client,
    candidates: models,
    cooling: {},
    attempted: [],
    parametersFor: () => ({}),
    asIs: false,
    credentials: () => Promise.resolve({ secret: undefined }),
    headers: new Headers(),
    query: "",
    timer: requestTimer(),
  };
}

function failedAfter(ms: number, cause: FailureCause, model: string): Started {
  const failure: Failure = { cause, status: cause === "timeout" ? 504 : 502, message: "failed" };
  const attempts = [{ model, status: failure.status, ms, outcome: "failed", error: "" } as const];
  return { kind: "failed", failures: [{ model, failure, native: true }], attempts };
}

/** The models that were asked, when each fails after so many ms. */
async function asked(stream: boolean, ms: number, cause: FailureCause): Promise<string[]> {
  const calls: string[] = [];
  const next: Upstream = async ({ candidates: [{ id }] }) => {
    calls.push(id);
    return await Promise.resolve(failedAfter(ms, cause, id));
  };
  const models = [modelOf({ id: "a", ...base }, "m"), modelOf({ id: "b", ...base }, "m")] as const;
  await fallback(policyOf({ VARIANT: "A" }))(next)(askOf(stream, ...models));
  return calls;
}

describe("an answer of more blocks than any model writes", () => {
  const message = "The provider's answer holds too many blocks.";
  const use = { type: "tool_use", id: "c", name: "look", input: {} };
  const opens = (index: number): string =>
    `data: ${JSON.stringify({ type: "content_block_start", index, content_block: use })}\n\n` +
    `data: ${JSON.stringify({ type: "content_block_stop", index })}\n\n`;
  const begin = { type: "message_start", message: { type: "message", content: [] } };
  const bodies = {
    "application/json": (count: number) =>
      JSON.stringify({
        type: "message",
        role: "assistant",
        content: Array.from({ length: count }, () => use),
        stop_reason: "tool_use",
      }),
    "text/event-stream": (count: number) =>
      `data: ${JSON.stringify(begin)}\n\n` +
      Array.from({ length: count }, (_, index) => opens(index)).join("") +
      `data: ${JSON.stringify({ type: "message_stop" })}\n\n`,
  };
  const provider = { ...base, id: "a", format: "messages" } as const;
  const startWith = (type: keyof typeof bodies, count: number): Promise<Started> => {
    const headers = { "content-type": type };
    const response = new Response(bodies[type](count), { headers });
    return start(askOf(false, modelOf(provider, "m")), () =>
      Promise.resolve({ ok: true, response }),
    );
  };

  it.each(["application/json", "text/event-stream"] as const)("fails: %s", async (type) => {
    expect(await startWith(type, 10_000)).toMatchObject({ kind: "whole" });
    const failure = { status: 502, message };
    expect(await startWith(type, 10_001)).toMatchObject({
      kind: "failed",
      failures: [{ failure }],
    });
  });
});

describe("a whole answer", () => {
  const body = JSON.stringify({ choices: [{ message: { content: "x".repeat(2_000_000) } }] });
  const lengths = { stated: { "content-length": String(body.length) }, unknown: {} };
  const answerOf = (headers: Record<string, string>): Promise<Opened> => {
    const response = new Response(body, {
      headers: { "content-type": "application/json", ...headers },
    });
    return Promise.resolve({ ok: true, response });
  };
  const ask = askOf(false, modelOf({ id: "a", ...base }, "m"));

  it.each(Object.entries(lengths))(
    "for which the isolate has no memory ends as a failure of the gateway's own: %s length",
    async (_, headers) => {
      const hasRoom = (bytes: number): boolean => bytes < 1_500_000;
      const started = await start({ ...ask, hasRoom }, () => answerOf(headers));
      const failure = { status: 503, code: "M501", ours: true, mayBill: true };
      expect(started).toMatchObject({ kind: "failed", failures: [{ failure }] });
      // The gateway itself does not ask for it again.
      const [{ failure: said } = {}] = started.kind === "failed" ? started.failures : [];
      expect(said?.retryAfter).toBeGreaterThan(longestPause);
    },
  );

  it.each(Object.entries(lengths))("that fits is read: %s length", async (_, headers) => {
    const started = await start({ ...ask, hasRoom: () => true }, () => answerOf(headers));
    expect(started.kind).toBe("whole");
  });
});

describe("a wait in vain for a whole answer", () => {
  it("of a minute or more asks no other model: the client has most likely left", async () => {
    expect(await asked(false, 120_000, "timeout")).toEqual(["a/m"]);
  });

  it("that was short, or is no time-out, or is for a stream, falls back", async () => {
    expect(await asked(false, 30_000, "timeout")).toEqual(["a/m", "b/m"]);
    expect(await asked(false, 120_000, "reset")).toEqual(["a/m", "b/m"]);
    expect(await asked(true, 120_000, "timeout")).toEqual(["a/m", "b/m"]);
  });
});

describe("what is remembered of a model's whole answers", () => {
  it("is the longest of the latest, waits in vain included, streams not, of each entry apart", async () => {
    const [model, other] = [modelOf({ id: "a", ...base }, "m"), modelOf({ id: "a", ...base }, "m")];
    let now = 0;
    const take = async (seconds: number, started: Started, stream = false): Promise<void> => {
      const next: Upstream = async () => {
        now += seconds * 1000;
        return await Promise.resolve(started);
      };
      await rememberTimes(() => now)(next)(askOf(stream, model));
    };
    const vain = failedAfter(0, "timeout", model.id);
    await take(40, vain);
    await take(90, vain, true);
    await take(70, failedAfter(0, "reset", model.id));
    expect(longestWhole(model)).toBe(40);
    for (let n = 0; n < 50; n++) await take(3, vain);
    expect(longestWhole(model)).toBe(3);
    expect(longestWhole(other)).toBe(0);
  });
});
