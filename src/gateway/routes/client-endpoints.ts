/** Endpoints that client programs call besides models and generation. */
import { clientFormats } from "../../formats/index.ts";
import { handleTelemetry } from "../endpoints/client-telemetry.ts";
import { handleSpendReport } from "../endpoints/spend-report.ts";
import type { PublicEndpoint } from "./endpoint.ts";

/** What clients measure of themselves. */
export const telemetryEndpoints: readonly PublicEndpoint[] = ["/metrics", "/logs", "/traces"].map(
  (path) => ({
    path,
    method: "POST",
    client: clientFormats.messages,
    generates: false,
    handler: handleTelemetry,
  }),
);

/** Outside of `/v1`, among the admin API's paths, because Claude Code calls it there. */
export const spendEndpoint: PublicEndpoint = {
  path: "/api/oauth/usage",
  method: "GET",
  client: clientFormats.messages,
  generates: false,
  handler: handleSpendReport,
};
