/** Pages of the documentation that the search knows, by their files in `docs/` without `.md`. */
import { problemCodes } from "../../../core/problem.ts";
import { knownKinds, recordOf } from "../../../providers/catalogue/kinds.ts";

type DocsPage = readonly [label: string, page: string, anchor?: string];

const guides: readonly DocsPage[] = [
  ["Documentation", ""],
  ["Connect a client", "clients"],
  ["Provider guides", "providers"],
  ["Claude Code", "clients/claude-code"],
  ["Codex", "clients/codex"],
  ["Gemini CLI", "clients/gemini-cli"],
  ["opencode", "clients/opencode"],
  ["Cursor", "clients/cursor"],
  ["GitHub Copilot CLI", "clients/copilot-cli"],
  ["Cline", "clients/cline"],
  ["Continue", "clients/continue"],
  ["Zed", "clients/zed"],
  ["aider", "clients/aider"],
  ["Qwen Code", "clients/qwen-code"],
  ["VS Code", "clients/vs-code"],
  ["Open WebUI", "clients/open-webui"],
  ["LibreChat", "clients/librechat"],
  ["pi", "clients/pi"],
  ["SDKs and frameworks", "clients/sdks"],
  ["curl", "clients/curl"],
  ["Providers", "providers"],
  ["Error codes", "errors"],
  ["API", "api"],
  ["Configuration reference", "configuration"],
  ["Deployment settings", "settings"],
  ["Troubleshooting", "troubleshooting"],
  ["Backup and restore", "backup"],
  ["Upgrading", "upgrading"],
  ["Security", "security"],
  ["Privacy", "privacy"],
  ["Limits", "limits"],
  ["FAQ", "faq"],
  ["Install", "install"],
  ["Command line", "cli"],
  ["Routing", "routing"],
  ["What happens to a request", "requests"],
  ["Embeddings, images and audio", "endpoints"],
  ["Web search", "web-search"],
  ["WebSocket", "websocket"],
  ["Observability: logs, metrics, webhooks", "observability"],
  ["People, roles and sign-in", "people"],
  ["Company sign-in from Claude Code", "claude-code-sign-in"],
  ["Plans and workspaces", "plans"],
  ["Running it for others", "operating"],
  ["Deploy to Cloudflare", "deploy"],
  ["Performance", "performance"],
  ["Scale", "scale"],
  ["Architecture", "architecture"],
];

/** Guides first, then providers and codes of errors. */
export const docsPages: readonly DocsPage[] = [
  ...guides,
  ...knownKinds.map((kind): DocsPage => [recordOf(kind)?.name ?? kind, `providers/${kind}`]),
  ...Object.values(problemCodes).map((code): DocsPage => {
    const anchor = code.toLowerCase();
    return [`Error ${code}`, "errors", anchor];
  }),
];
