import { describe, expect, it } from "vitest";
import { checkDeployment } from "../../src/store/deployment.ts";
import { otelSettingsOf } from "../../src/store/otel-settings.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

describe("the settings of OpenTelemetry", () => {
  it("send nothing without an endpoint, and nothing where that is said", () => {
    expect(otelSettingsOf({})).toBeNull();
    expect(otelSettingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: " ", OTEL_SERVICE_NAME: "x" })).toBeNull();
    expect(otelSettingsOf({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" })).toBeNull();
    const none = { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" };
    expect(otelSettingsOf({ ...endpoint, ...none })).toBeNull();
  });

  it("have the specification's defaults", () => {
    expect(otelSettingsOf(endpoint)).toEqual({
      traces: "http://127.0.0.1:4318/v1/traces",
      metrics: "http://127.0.0.1:4318/v1/metrics",
      headers: {},
      encoding: "protobuf",
      gzip: false,
      timeout: 10_000,
      resource: { "service.name": "routing-gateway" },
      sampler: { ratio: 1, byParent: true },
      interval: 60_000,
      queue: 2048,
    });
  });

  it("append the signal's path to the common address, and take the signal's own as it is", () => {
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example.com/in?token=1" };
    const common = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://otlp.example.com/tenant/" };
    expect(otelSettingsOf({ ...common, ...own })).toMatchObject({
      traces: "https://traces.example.com/in?token=1",
      metrics: "https://otlp.example.com/tenant/v1/metrics",
    });
    expect(otelSettingsOf(own)).toMatchObject({ metrics: null });
    expect(otelSettingsOf({ ...common, OTEL_METRICS_EXPORTER: "none" })?.metrics).toBeNull();
  });

  it("read lists as percent-encoded pairs, and the service's name from where it is", () => {
    const lists = {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20dXNlcjpwYXNz, x-tenant = a%2Cb",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=from%20list,host.name=h",
    };
    const found = otelSettingsOf({ ...endpoint, ...lists });
    expect(found?.headers).toEqual({ authorization: "Basic dXNlcjpwYXNz", "x-tenant": "a,b" });
    expect(found?.resource).toEqual({ "service.name": "from list", "host.name": "h" });
    const named = otelSettingsOf({ ...endpoint, ...lists, OTEL_SERVICE_NAME: "own" });
    expect(named?.resource["service.name"]).toBe("own");
  });

  it.each([
    ["always_on", undefined, { ratio: 1, byParent: false }],
    ["always_off", "0.5", { ratio: 0, byParent: false }],
    ["traceidratio", "0.25", { ratio: 0.25, byParent: false }],
    ["parentbased_traceidratio", undefined, { ratio: 1, byParent: true }],
    ["ParentBased_Always_Off", undefined, { ratio: 0, byParent: true }],
  ])("know the sampler %s with %s", (name, arg, sampler) => {
    const given = { OTEL_TRACES_SAMPLER: name, ...(arg && { OTEL_TRACES_SAMPLER_ARG: arg }) };
    expect(otelSettingsOf({ ...endpoint, ...given })?.sampler).toEqual(sampler);
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:hidden@collector.example.com"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://collector.example.com"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "http/xml"],
    ["OTEL_EXPORTER_OTLP_COMPRESSION", "br"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "1e12"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a b=hidden"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=hidden%0d%0ab"],
    ["OTEL_RESOURCE_ATTRIBUTES", "=x"],
    ["OTEL_TRACES_EXPORTER", "console"],
    ["OTEL_METRICS_EXPORTER", "prometheus"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1.5"],
    ["OTEL_BSP_MAX_QUEUE_SIZE", "-1"],
    ["OTEL_SDK_DISABLED", "perhaps"],
  ])("refuse %s=%s in plain words, without its secrets", (name, text) => {
    const wrong = (): unknown => otelSettingsOf({ ...endpoint, [name]: text });
    expect(wrong).toThrow(name);
    expect(wrong).not.toThrow("hidden");
    expect(() => checkDeployment({ [name]: text })).toThrow(name);
  });

  it("refuse a share of traces that is none, where a sampler needs one", () => {
    const given = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" };
    expect(() => otelSettingsOf({ ...endpoint, ...given })).toThrow("OTEL_TRACES_SAMPLER_ARG");
  });
});
