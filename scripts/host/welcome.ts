/** What a start prints. Secrets only at the first one. */

export interface Welcome {
  base: string;
  dashboard: boolean;
  /** Only at the first start. */
  first?: { adminToken: string; key: string | undefined; harness: string };
}

/** The lines of a start, ready to be pasted into a shell where they are commands. */
export function welcomeText(welcome: Welcome): string {
  const { base, first } = welcome;
  const key = first?.key ?? "<KEY>";
  const lines = [`Gateway        ${base}/v1`];
  if (welcome.dashboard) lines.push(`Dashboard      ${base}/dashboard`);
  if (first === undefined) {
    lines.push("Admin token    the one in .dev.vars or the environment (ADMIN_TOKEN)");
    return lines.join("\n");
  }
  lines.push(`Admin token    ${first.adminToken}`);
  if (first.key !== undefined) {
    lines.push(
      `Key            ${first.key}   (of the harness "${first.harness}"; shown this once)`,
    );
  }
  return [...lines, "", ...pasteLines(base, key)].join("\n");
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
