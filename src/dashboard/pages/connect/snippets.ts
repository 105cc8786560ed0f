/** Configuration and code to paste into clients, filled with this gateway's address and a key. */
import { clientTemplates, type ClientSnippet } from "./clients.ts";

interface SnippetValues {
  /** `https://gateway.example` */
  origin: string;
  key: string;
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

function filled(text: string, { origin, key, window = 200_000 }: SnippetValues): string {
  return text
    .replaceAll("{origin}", origin)
    .replaceAll("{key}", key)
    .replaceAll("{window}", String(window));
}
