/** Configuration and code to paste into clients, filled with this gateway's address and a key. */
import { clientTemplates, type ClientSnippet } from "./clients.ts";

interface SnippetValues {
  /** `https://gateway.example` */
  origin: string;
  key: string;
  /** What Claude Code must be told of the harness's models, by the names of its variables. */
  claudeCode?: Readonly<Record<string, string>>;
  /** Tokens that a conversation may have; 200,000 unless known. */
  window?: number;
}

/** The snippets of every client that the dashboard knows. */
export function clientSnippets(values: SnippetValues): ClientSnippet[] {
  return clientTemplates.map(({ id, name, steps }) => ({
    id,
    name,
    steps: steps.map(({ label, text }) => ({ label, text: filled(text, values) })),
  }));
}

const usualWindow = 200_000;

function filled(text: string, { origin, key, window, claudeCode }: SnippetValues): string {
  const tokens = String(window ?? usualWindow);
  const told = claudeCode ?? {
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: tokens,
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
  };
  const variables = Object.entries(told).map(([name, value]) => `${name}=${value}`);
  return text
    .replaceAll("{origin}", origin)
    .replaceAll("{key}", key)
    .replaceAll("{window}", tokens)
    .replaceAll("{claudeCode}", variables.join(" "));
}
