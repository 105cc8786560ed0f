/** What a start prints. Secrets only at the first start, and of those only what that start has made. */

/** What a start knows when the gateway serves. */
export interface Welcome {
  base: string;
  dashboard: boolean;
  token: TokenStatus;
}

/** What to print about the admin token. */
export type TokenStatus =
  | {
      kind: "first";
      /** Undefined where the user has set it: it may have come from where no log may show it. */
      made: string | undefined;
      place: TokenPlace;
      key: string | undefined;
      harness: string;
      claudeCode: string;
      connectWords: string;
    }
  | { kind: "unchanged"; place: TokenPlace }
  /** Only people administer it, who sign in. */
  | { kind: "none" }
  /** The gateway has created a newer one than the launcher knows. */
  | { kind: "replaced"; place: TokenPlace };

/** Where the launcher got its admin token. */
export type TokenPlace = { kind: "environment" } | { kind: "file"; file: string };

/** The lines that a start prints. Commands can be pasted into a shell. */
export function welcomeText({ base, dashboard, token }: Welcome): string {
  const lines = [`Gateway        ${base}/v1`];
  if (dashboard) lines.push(`Dashboard      ${base}/dashboard`);
  lines.push(`Docs           ${base}/docs`);
  return [...lines, ...tokenLines(token, base)].join("\n");
}

function tokenLines(token: TokenStatus, base: string): string[] {
  switch (token.kind) {
    case "first": {
      const { key, harness, claudeCode, connectWords } = token;
      return [
        `Admin token    ${token.made ?? setPlace(token.place)}`,
        ...(key === undefined
          ? []
          : [`Key            ${key}   (for the harness "${harness}"; shown only once)`]),
        "",
        ...connectLines(connectWords),
        "",
        ...pasteLines(base, key ?? "<KEY>", claudeCode),
      ];
    }
    case "unchanged":
      return [`Admin token    ${setPlace(token.place)}`];
    case "none":
      return [];
    case "replaced":
      return replacedLines(nameOf(token.place));
    default:
      return token satisfies never;
  }
}

/** A replaced token no longer works, and the gateway stores only the hash of the new one. */
function replacedLines(place: string): string[] {
  return [
    "Admin token    the newest one, created on the dashboard or through the admin API",
    `  ADMIN_TOKEN in ${place} is out of date. Replace it with the new token.`,
    "  If you lost the new token, set any other value of at least 16 characters; it applies from the next start.",
  ];
}

function setPlace(place: TokenPlace): string {
  return `ADMIN_TOKEN in ${nameOf(place)}`;
}

function nameOf(place: TokenPlace): string {
  return place.kind === "file" ? place.file : "the environment";
}

/** Connects for good; what is pasted below holds for one run. */
function connectLines(connectWords: string): string[] {
  return [
    "Connect Claude Code: writes its settings after asking (also: codex, gemini, opencode, qwen, cline, …)",
    `  ${connectWords} claude`,
  ];
}

/** `claudeCode`: further variables of its environment, each with a blank behind it. */
function pasteLines(base: string, key: string, claudeCode: string): string[] {
  return [
    "curl",
    `  curl ${base}/v1/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `    -d '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}'`,
    "",
    "Claude Code",
    `  ANTHROPIC_BASE_URL=${base} ANTHROPIC_AUTH_TOKEN=${key} ANTHROPIC_MODEL=auto ${claudeCode}claude`,
    "",
    "Codex",
    `  GATEWAY_API_KEY=${key} codex -c model=auto -c model_provider=gateway -c model_providers.gateway.name=Gateway \\`,
    `    -c model_providers.gateway.base_url=${base}/v1 -c model_providers.gateway.env_key=GATEWAY_API_KEY \\`,
    `    -c model_providers.gateway.wire_api=responses`,
  ];
}
