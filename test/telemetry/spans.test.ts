/** What spans and metrics say of requests of nobody that is known, as sinks are told of them. */
import { describe, expect, it } from "vitest";
import { GenAiMetrics } from "../../src/telemetry/otlp/genai-metrics.ts";
import { Meter } from "../../src/telemetry/otlp/meter.ts";
import { spansOf } from "../../src/telemetry/trace/spans.ts";
import { stranger } from "./finished.ts";

const trace = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true };

describe("a request of a stranger", () => {
  it("has a span with its outcome, and another name where its method is none of HTTP's own", () => {
    const [span] = spansOf(stranger({ method: "_OTHER", trace }), undefined);
    expect(span?.name).toBe("HTTP /v1/messages");
    const attributes = Object.fromEntries(span?.attributes ?? []);
    expect(attributes).toMatchObject({
      "http.request.method": "_OTHER",
      "gateway.outcome": "failed",
    });
  });

  it("counts under its outcome, as it does at /metrics", () => {
    const meter = new Meter(0);
    new GenAiMetrics(meter).count(stranger());
    const [requests] = meter.take(1);
    expect(requests?.points[0]?.attributes).toContainEqual(["gateway.outcome", "failed"]);
  });
});
