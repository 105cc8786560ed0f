/** What each setting of the deployment means, for the documentation. Tests compare the names with those that are read. */
import type { Env } from "./env.ts";

/** A setting that an operator may choose. */
type SettingName = {
  [Name in keyof Env]-?: NonNullable<Env[Name]> extends string ? Name : never;
}[keyof Env] extends infer Name
  ? Exclude<Name, "DESCRIPTOR_LIMIT" | "HOST_TOKEN" | "LISTEN_HOST" | "BOOT_ID">
  : never;

/** A setting for its readers. */
export interface SettingDescription {
  /** One or more sentences, in Markdown. */
  readonly what: string;
  /** Its values: a list, a form, or a range with its unit. */
  readonly values: string;
  /** What holds where it is not set; missing: nothing. */
  readonly usual?: string;
  readonly example?: string;
  /** Its value must not be shown: set it as a secret of the deployment. */
  readonly secret?: true;
}

/** Settings of one subject. */
export interface SettingGroup {
  readonly title: string;
  readonly settings: Partial<Record<SettingName, SettingDescription>>;
}

const switchValues = "`true` or `false`";

const otel: SettingGroup["settings"] = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    what: "Base address of the collector; `/v1/traces` and `/v1/metrics` are appended. Without it nothing is sent.",
    values: "an `http` or `https` address",
    example: "http://127.0.0.1:4318",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    what: "Address for traces, used unchanged.",
    values: "an `http` or `https` address",
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    what: "Address for metrics, used unchanged.",
    values: "an `http` or `https` address",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    what: "Headers for every export. Never logged, shown or exported.",
    values: "`name=value,name=value`, values percent-encoded",
    secret: true,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    what: "Encoding; `grpc` is not supported.",
    values: "`http/protobuf` or `http/json`",
    usual: "http/protobuf",
  },
  OTEL_EXPORTER_OTLP_COMPRESSION: {
    what: "Whether bodies are compressed.",
    values: "`none` or `gzip`",
    usual: "none",
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    what: "Time limit of an export with its retries; 20 s at most.",
    values: "milliseconds",
    usual: "10000",
  },
  OTEL_SERVICE_NAME: {
    what: "The service's name.",
    values: "a name",
    usual: "routing-gateway",
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    what: "More attributes of the service.",
    values: "`name=value,name=value`",
    example: "deployment.environment.name=staging",
  },
  OTEL_TRACES_EXPORTER: {
    what: "`none` sends no traces.",
    values: "`otlp` or `none`",
    usual: "otlp",
  },
  OTEL_METRICS_EXPORTER: {
    what: "`none` sends no metrics.",
    values: "`otlp` or `none`",
    usual: "otlp",
  },
  OTEL_TRACES_SAMPLER: {
    what: "Which traces are recorded.",
    values:
      "`always_on`, `always_off`, `traceidratio`, `parentbased_always_on`, `parentbased_always_off`, `parentbased_traceidratio`",
    usual: "parentbased_always_on",
  },
  OTEL_TRACES_SAMPLER_ARG: {
    what: "The share of traces that the ratio samplers record.",
    values: "0 to 1",
    usual: "1",
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    what: "Time between exports of metrics; they are sent earlier after 5 s without a request.",
    values: "milliseconds",
    usual: "60000",
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    what: "Spans that may wait in one isolate.",
    values: "a whole number",
    usual: "2048",
  },
  OTEL_SDK_DISABLED: {
    what: "`true` sends nothing.",
    values: switchValues,
    usual: "false",
  },
};

/** Every setting, by subject. */
export const settingGroups: readonly SettingGroup[] = [
  {
    title: "The service",
    settings: {
      VARIANT: {
        what: "`B` is an earlier form of the service: agents in place of harnesses, one throttle, [numeric error codes](errors.md#variant-b).",
        values: "`A` or `B`",
        usual: "A",
      },
      MODE: {
        what: "`cloud` is for several workspaces with sign-in, plans and quotas: it serves nothing until it is configured, and refuses providers with private addresses.",
        values: "`self-hosted` or `cloud`",
        usual: "self-hosted",
      },
      THROTTLE_TTL: {
        what: "Variant B, self-hosted: the length of an agent's window.",
        values: "milliseconds",
        usual: "60000",
      },
      THROTTLE_LIMIT: {
        what: "Variant B, self-hosted: requests of an agent in a window.",
        values: "a whole number",
        usual: "100",
      },
    },
  },
  {
    title: "Secrets",
    settings: {
      ADMIN_TOKEN: {
        what: "Bearer token of the admin API and sign-in to the dashboard. `npm start` creates one at the first start.",
        values: "at least 16 characters",
        secret: true,
      },
      ENCRYPTION_KEY: {
        what: "Encrypts stored credentials (AES-GCM). `npm start` creates one at the first start. Set `new,old` to change it.",
        values: "32 bytes, base64: `openssl rand -base64 32`",
        secret: true,
      },
    },
  },
  {
    title: "Addresses",
    settings: {
      PUBLIC_URL: {
        what: "Public address of the gateway. Pages open under its host name; messages, invitations and notices link to it.",
        values: "an address",
        example: "https://gateway.example.com",
      },
      ALLOWED_HOSTS: {
        what: "More host names under which the pages open. `localhost`, IP addresses, the name in `--host` and the host of `PUBLIC_URL` always work; under any other name pages answer 421. On Cloudflare every name works until this is set. Keys and tokens work under every name.",
        values: "comma-separated names; `*.example.com`, or `*` for all",
        example: "gateway.lan, *.example.com",
      },
      TRUSTED_IP_HEADER: {
        what: "The header in which the reverse proxy sends the client's address. Without it the gateway trusts no header. Has no effect on Cloudflare.",
        values: "a header's name",
        example: "X-Real-IP",
      },
      KEEP_ALIVE_AFTER: {
        what: "After so much silence behind a provider's headers, a streaming client gets its response's headers and [keep-alives](requests.md#keep-alives) before the first content, so that a client that left is noticed. `0` turns that off.",
        values: "seconds up to 900, `0` for never",
        usual: "5 (variant B: 0)",
      },
      ALLOW_PRIVATE_UPSTREAMS: {
        what: "Whether providers can have private addresses in cloud mode too. Never set it where strangers have workspaces.",
        values: switchValues,
        usual: "false",
      },
      LOCAL_SERVERS_HOST: {
        what: "Another host on which **Find local servers** looks for Ollama, LM Studio, vLLM and llama.cpp: from inside a container, the machine that runs it. The image sets `host.docker.internal`. Not read in cloud mode.",
        values: "a host name or an IP address",
        example: "host.docker.internal",
      },
    },
  },
  {
    title: "Sign-in of people",
    settings: {
      OIDC_ISSUER: {
        what: "The identity provider's address: `https`, or `http` on this machine; a public one in cloud mode. See [people](people.md).",
        values: "an address",
        example: "https://login.example.com",
      },
      OIDC_CLIENT_ID: { what: "The gateway's registration there.", values: "text" },
      OIDC_CLIENT_SECRET: {
        what: "The secret of that registration.",
        values: "text",
        secret: true,
      },
      OIDC_ALLOWED_DOMAINS: {
        what: "Domains of e-mail addresses that can sign in; all by default.",
        values: "comma-separated domains",
        example: "example.com, example.org",
      },
      OIDC_GROUPS_CLAIM: {
        what: "The claim that lists a person's groups.",
        values: "a name",
        example: "groups",
      },
      SIGN_UP: {
        what: "`open`: everyone who signs in gets their own workspace; `invited`: only invited people can sign in.",
        values: "`invited` or `open`",
        usual: "invited",
      },
      OPERATORS: {
        what: "People who run the deployment: they see its workspaces and plans, but no texts or secrets.",
        values:
          "comma-separated subjects or verified e-mail addresses; an entry with an @ is an address",
        example: "ops@example.com",
      },
    },
  },
  {
    title: "Plans",
    settings: {
      PLANS: {
        what: "What workspaces on each plan may use: see [plans](plans.md).",
        values: "JSON",
        example: '{ "free": { "monthly_requests": 10000 } }',
      },
      BILLING_SECRET: {
        what: "Secret for signed requests of the billing system.",
        values: "at least 16 characters",
        secret: true,
      },
    },
  },
  {
    title: "Observability",
    settings: {
      LOG: {
        what: "Which requests get a line of JSON on standard output: [one line per request](observability.md#one-line-per-request).",
        values: "`off`, `errors` or `all`",
        usual: "off",
      },
      METRICS_TOKEN: {
        what: "Token for `GET /metrics`; the admin token works too.",
        values: "at least 16 characters",
        secret: true,
      },
    },
  },
  { title: "OpenTelemetry", settings: otel },
];
