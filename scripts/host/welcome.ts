/** What a start prints. Secrets only at the first one. */

export interface Welcome {
  base: string;
  dashboard: boolean;
  token: TokenNews;
}

/** What there is to say about the admin token. */
export type TokenNews =
  | { kind: "first"; adminToken: string; key: string | undefined; harness: string }
  | { kind: "holds" }
  /** The gateway has made a newer one than that which stands there. */
  | { kind: "replaced"; place: TokenPlace };

/** Where the launcher's admin token stands. */
export type TokenPlace = { kind: "environment" } | { kind: "file"; file: string };

/** The lines of a start, ready to be pasted into a shell where they are commands. */
export function welcomeText({ base, dashboard, token }: Welcome): string {
  const lines = [`Gateway        ${base}/v1`];
  if (dashboard) lines.push(`Dashboard      ${base}/dashboard`);
  return [...lines, ...tokenLines(token, base)].join("\n");
}

function tokenLines(token: TokenNews, base: string): string[] {
  switch (token.kind) {
    case "first": {
      const { key, harness } = token;
      return [
        `Admin token    ${token.adminToken}`,
        ...(key === undefined
          ? []
          : [`Key            ${key}   (of the harness "${harness}"; shown this once)`]),
        "",
        ...pasteLines(base, key ?? "<KEY>"),
      ];
    }
    case "holds":
      return ["Admin token    the one in .dev.vars or the environment (ADMIN_TOKEN)"];
    case "replaced":
      return replacedLines(token.place);
    default:
      return token satisfies never;
  }
}

/** A token that was replaced opens nothing; the gateway knows no more than the new one's hash. */
function replacedLines(place: TokenPlace): string[] {
  const head = "Admin token    the one that was made last, on the dashboard or over the admin API.";
  switch (place.kind) {
    case "file":
      return [
        head,
        `  ADMIN_TOKEN in ${place.file} is an older one: put the new one in its place.`,
        "  If it is lost, delete that line: the next start writes a new token there, which then holds.",
      ];
    case "environment":
      return [
        head,
        "  ADMIN_TOKEN in the environment is an older one: put the new one in its place.",
        "  If it is lost, put any other value there: from the next start on that one holds.",
      ];
    default:
      return place satisfies never;
  }
}

function pasteLines(base: string, key: string): string[] {
  return [
    "curl",
    `  curl ${base}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `    -d '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}'`,
    "",
    "Claude Code",
    `  ANTHROPIC_BASE_URL=${base} ANTHROPIC_AUTH_TOKEN=${key} ANTHROPIC_MODEL=auto claude`,
    "",
    "Codex",
    `  GATEWAY_API_KEY=${key} codex -c model=auto -c model_provider=gateway -c model_providers.gateway.name=Gateway \\`,
    `    -c model_providers.gateway.base_url=${base}/v1 -c model_providers.gateway.env_key=GATEWAY_API_KEY \\`,
    `    -c model_providers.gateway.wire_api=responses`,
  ];
}
