/** What the worker asks of whatever hosts it. `wrangler.toml` says the same in its own words; a test compares the two. */

export const compatibilityDate = "2026-04-01";
export const compatibilityFlags = ["enable_request_signal"];

/** Durable Object bindings and the classes behind them; all of them keep their state in SQLite. */
export const objects = {
  WORKSPACE: "WorkspaceObject",
  IP: "IpObject",
  DIRECTORY: "DirectoryObject",
} as const;

/** The KV binding. */
export const kvBinding = "KV";

/** The binding of the dashboard's static files. */
export const assetsBinding = "ASSETS";

/** The binding of the launcher's look at servers. Only `npm start` has it. */
export const serverCheckBinding = "SERVER_CHECK";

/** Settings with the values that hold when nobody says otherwise; the empty ones are left out. */
export const settings = {
  VARIANT: "A",
  MODE: "self-hosted",
  THROTTLE_TTL: "60000",
  THROTTLE_LIMIT: "100",
  TRUSTED_IP_HEADER: "",
  KEEP_ALIVE_AFTER: "",
  ALLOWED_HOSTS: "",
  PUBLIC_URL: "",
  ALLOW_PRIVATE_UPSTREAMS: "",
  LOCAL_SERVERS_HOST: "",
  OIDC_ISSUER: "",
  OIDC_CLIENT_ID: "",
  OIDC_CLIENT_SECRET: "",
  OIDC_ALLOWED_DOMAINS: "",
  OIDC_GROUPS_CLAIM: "",
  SIGN_UP: "",
  OPERATORS: "",
  PLANS: "",
  BILLING_SECRET: "",
  LOG: "",
  METRICS_TOKEN: "",
  OTEL_EXPORTER_OTLP_ENDPOINT: "",
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "",
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "",
  OTEL_EXPORTER_OTLP_HEADERS: "",
  OTEL_EXPORTER_OTLP_PROTOCOL: "",
  OTEL_EXPORTER_OTLP_COMPRESSION: "",
  OTEL_EXPORTER_OTLP_TIMEOUT: "",
  OTEL_SERVICE_NAME: "",
  OTEL_RESOURCE_ATTRIBUTES: "",
  OTEL_TRACES_EXPORTER: "",
  OTEL_METRICS_EXPORTER: "",
  OTEL_TRACES_SAMPLER: "",
  OTEL_TRACES_SAMPLER_ARG: "",
  OTEL_METRIC_EXPORT_INTERVAL: "",
  OTEL_BSP_MAX_QUEUE_SIZE: "",
  OTEL_SDK_DISABLED: "",
} as const;

/** Made once, kept with the state. */
export const secrets = ["ADMIN_TOKEN", "ENCRYPTION_KEY"] as const;
