/** Configuration and code to paste into clients, filled with this gateway's address and a key. */
import { docsPath } from "../../../core/docs-address.ts";
import type { Client, ClientStep } from "./client.ts";
import { clientGroups } from "./clients.ts";
import { shellLines, shellNames, type Shell } from "./shells.ts";

interface SnippetValues {
  /** `https://gateway.example` */
  origin: string;
  key: string;
  /** What Claude Code must be told of the harness's models, by the names of its variables. */
  claudeCode?: Readonly<Record<string, string>>;
  /** Tokens that a conversation may have; 200,000 unless known. */
  window?: number;
}

/** One client, ready to be set up. */
export interface ClientSnippet {
  readonly id: string;
  readonly name: string;
  /** Path of its guide on this gateway. */
  readonly guide: string;
  /** The one command that sets it up, where there is one. */
  readonly command?: string;
  readonly steps: readonly SnippetStep[];
}

/** A text to paste. */
export interface SnippetStep {
  readonly label: string;
  readonly text: string;
  /** The shells that it is for, where others have a text of their own. */
  readonly shells?: readonly Shell[];
}

/** Clients of one sort, ready to be set up. */
interface SnippetGroup {
  readonly name: string;
  readonly clients: readonly ClientSnippet[];
}

/** The snippets of every client that the dashboard knows, by sort. */
export function snippetGroups(values: SnippetValues): SnippetGroup[] {
  return clientGroups.map(({ name, clients }) => ({
    name,
    clients: clients.map((client) => snippetOf(client, values)),
  }));
}

/** The snippets of every client that the dashboard knows. */
export function clientSnippets(values: SnippetValues): ClientSnippet[] {
  return snippetGroups(values).flatMap(({ clients }) => clients);
}

function snippetOf(client: Client, values: SnippetValues): ClientSnippet {
  const { id, name, connect, steps } = client;
  const [page = "", heading] = client.guide.split("#", 2);
  return {
    id,
    name,
    guide: docsPath(`clients/${page}`, heading),
    ...(connect !== undefined && {
      command: filled(`gateway connect ${connect} --url {origin} --key {key}`, values),
    }),
    steps: steps
      .flatMap((step) => stepsIn(step, values))
      .map((step) => ({ ...step, text: filled(step.text, values) })),
  };
}

const shells: readonly Shell[] = ["sh", "fish", "powershell"];

/** What the page shows for a step: a text, or one for each shell. */
function stepsIn(step: ClientStep, values: SnippetValues): SnippetStep[] {
  switch (step.kind) {
    case "text":
      return [{ label: step.label, text: step.text }];
    case "command":
      return [
        { label: `${step.label}: bash, zsh, fish`, text: step.sh, shells: ["sh", "fish"] },
        { label: `${step.label}: PowerShell`, text: step.powershell, shells: ["powershell"] },
      ];
    case "environment": {
      const more = step.more === undefined ? [] : Object.entries(toldToClaudeCode(values));
      const variables = [...step.variables, ...more];
      return shells.map((shell) => ({
        label: shellNames[shell],
        text: shellLines(shell, variables, step.command),
        shells: [shell],
      }));
    }
    default:
      return step satisfies never;
  }
}

const usualWindow = 200_000;

function toldToClaudeCode({ claudeCode, window }: SnippetValues): Readonly<Record<string, string>> {
  return (
    claudeCode ?? {
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(window ?? usualWindow),
      CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
    }
  );
}

function filled(text: string, { origin, key, window }: SnippetValues): string {
  return text
    .replaceAll("{origin}", origin)
    .replaceAll("{key}", key)
    .replaceAll("{window}", String(window ?? usualWindow));
}
