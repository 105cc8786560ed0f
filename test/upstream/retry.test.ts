import { expect, it } from "vitest";
import type { Failure } from "../../src/core/failure.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { Departure } from "../../src/lib/departure.ts";
import { requestTimer } from "../../src/lib/request-timer.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { retry } from "../../src/upstream/retry.ts";
import { start } from "../../src/upstream/start.ts";
import type { Ask, Started, Upstream } from "../../src/upstream/upstream.ts";
import { modelOf } from "../providers/kit.ts";

const model = modelOf(
  {
    id: "a",
    kind: "custom",
    format: "chat",
    base_url: "http://127.0.0.1:9/v1",
    timeouts: { headers: 2 },
  },
  "m",
);

function askOf(departure: Departure): Ask {
  const body = { model: model.id, messages: [{ role: "user", content: "hi" }], stream: true };
  return {
    request: clientRequest(chat.client, { body, text: JSON.stringify(body) }),
    client: chat.client,
    candidates: [model],
    cooling: {},
    attempted: [],
    parametersFor: () => ({}),
    asIs: false,
    credentials: () => Promise.resolve({ secret: undefined }),
    headers: new Headers(),
    query: "",
    timer: requestTimer(),
    departure,
  };
}

function failed(failure: Failure): Started {
  const attempts = [{ model: model.id, status: failure.status, ms: 1, outcome: "failed" } as const];
  return { kind: "failed", failures: [{ model: model.id, failure, native: true }], attempts };
}

it("leaves a second call what the first one left of the time for headers", async () => {
  const reset: Failure = { cause: "reset", status: 502, message: "reset" };
  let calls = 0;
  // The provider accepts the connection, and resets the first one after more than a second.
  const next: Upstream = async (ask) => {
    calls += 1;
    if (calls > 1) return await start(ask, () => new Promise(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    return failed(reset);
  };
  const started = await retry(next)(askOf(new Departure()));
  const message = "The provider did not send an answer within 1 s.";
  expect(started).toMatchObject({ kind: "failed", failures: [{ failure: { message } }] });
});

it("does not wait on for a client that has left", async () => {
  const departure = new Departure();
  const full: Failure = { cause: "status", status: 429, message: "later", retryAfter: 5 };
  let calls = 0;
  const next: Upstream = (ask) => {
    calls += 1;
    if (calls === 1) queueMicrotask(() => departure.happen());
    return calls === 1 ? Promise.resolve(failed(full)) : start(ask, () => expect.unreachable());
  };
  const started = await retry(next)(askOf(departure));
  expect(started).toMatchObject({ kind: "failed", failures: [{ failure: { cause: "left" } }] });
}, 4000);
