import { describe, expect, it } from "vitest";
import { clientFormats } from "../../src/formats/index.ts";
import { requestTimer } from "../../src/lib/request-timer.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { askAside, plainRequest, type SideQuestion } from "../../src/upstream/side-call.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";
import type { AttemptRecord } from "../../src/workspace/contract/request-record.ts";
import { modelOf } from "../providers/kit.ts";

const model = modelOf(
  { id: "lab", kind: "custom", format: "chat", base_url: "https://lab.example" },
  "m",
);

function questionTo(next: Upstream, given: Partial<SideQuestion> = {}): SideQuestion {
  const body = { model: "m", messages: [] };
  return {
    next,
    ask: {
      request: clientRequest(clientFormats.chat, { body, text: JSON.stringify(body) }),
      client: clientFormats.chat,
      candidates: [model],
      cooling: {},
      attempted: [],
      parametersFor: () => ({}),
      asIs: false,
      credentials: () => Promise.resolve({ secret: "none" }),
      headers: new Headers(),
      query: "",
      timer: requestTimer(),
    },
    model,
    request: plainRequest({
      format: "chat",
      model: "m",
      messages: [{ role: "user", blocks: [{ kind: "text", text: "Is it safe?" }] }],
    }),
    signal: undefined,
    patience: 60_000,
    booked: [],
    ...given,
  };
}

const silent: Upstream = () => new Promise(() => {});

describe("a call beside an answer", () => {
  it("is booked while it runs, and once: its client may leave at any time", async () => {
    const earlier: AttemptRecord = {
      model: "lab/other",
      status: 200,
      ms: 1,
      outcome: "neutral",
    };
    const booked = [earlier];
    const left = new AbortController();
    const reply = askAside(questionTo(silent, { booked, signal: left.signal }));
    const expected = [earlier, { model: model.id, status: 504, side: true }];
    expect(booked).toMatchObject(expected);
    left.abort();
    expect(await reply).toBeUndefined();
    expect(booked).toMatchObject(expected);
  });

  it("that could not be made costs nothing", async () => {
    const question = questionTo(() => Promise.reject(new Error("no credential")));
    expect(await askAside(question)).toBeUndefined();
    expect(question.booked).toEqual([]);
  });
});
