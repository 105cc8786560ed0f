/** What is kept of clients' requests, and how two records are told apart. */
import { describe, expect, it } from "vitest";
import { differences } from "./shape/compare.ts";
import type { Sent } from "./shape/recorder.ts";
import { shapeOf } from "./shape/shape.ts";

const model = "lab/lab-model";
const body = {
  model,
  stream: true,
  messages: [{ role: "user", content: "a prompt about /home/somebody" }],
  tools: [{ name: "write", input_schema: { type: "object", properties: { secretPath: {} } } }],
};

function sent(more: Partial<Sent> = {}): Sent {
  const headers = { authorization: "Bearer gw_key", "anthropic-beta": "one-2026, two-2026" };
  const text = JSON.stringify(body);
  return { method: "POST", path: "/v1/messages?beta=true", headers, text, ...more };
}

describe("the shape of requests", () => {
  it("holds names, types and words of the protocol, but no prompt, key or path", () => {
    const shape = shapeOf([sent()], model);
    const endpoint = shape["POST /v1/messages"];
    expect(endpoint?.query).toEqual(["beta"]);
    expect(endpoint?.headers["anthropic-beta"]).toEqual(["one-2026", "two-2026"]);
    expect(endpoint?.body["messages[].role"]).toEqual({ types: ["string"], values: ["user"] });
    expect(endpoint?.body["tools[].input_schema"]).toEqual({
      types: ["schema"],
      values: ["properties", "type"],
    });
    expect(JSON.stringify(shape)).not.toMatch(/prompt|gw_key|somebody|secretPath|lab-model/);
  });

  it("leaves the model out of a path", () => {
    const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    const shape = shapeOf([sent({ path })], model);
    expect(Object.keys(shape)).toEqual(["POST /v1beta/models/{model}:streamGenerateContent"]);
  });
});

describe("differences", () => {
  const known = shapeOf([sent()], model);

  it("are none between equal requests", () => {
    expect(differences(known, shapeOf([sent(), sent()], model))).toEqual([]);
  });

  it("are every header, value, query parameter, field and path that is new or gone", () => {
    const headers = { authorization: "Bearer other", "anthropic-beta": "two-2026, three-2026" };
    const text = JSON.stringify({ ...body, stream: undefined, effort: "high" });
    const newer = [
      sent({ headers: { ...headers, "x-new": "value" }, text, path: "/v1/messages?beta=1&more=1" }),
      sent({ method: "GET", path: "/v1/models", text: "" }),
    ];
    const found = differences(known, shapeOf(newer, model)).map(
      ({ kind, what }) => `${kind} ${what}`,
    );
    expect(found.toSorted()).toEqual([
      "gone field `stream` (boolean)",
      "gone field `stream` = `true`",
      "gone header `anthropic-beta: one-2026`",
      "new field `effort` (string)",
      "new field `effort` = `high`",
      "new header `anthropic-beta: three-2026`",
      "new header `x-new`",
      "new query `more`",
      "new the whole request",
    ]);
  });
});
