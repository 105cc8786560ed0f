/**
 * `GET /v1/codex-models.json`: the model catalogue file that Codex reads (`model_catalog_json`), so that it knows
 * the windows of this gateway's models and offers its patch tool to all of them.
 */
import type { ListedModel } from "../../providers/connection/connection.ts";
import { routable } from "../candidates/candidates.ts";
import { codexInstructions } from "./codex-instructions.ts";
import { answerListed } from "./listed.ts";
import type { Received } from "../received.ts";
import type { Services } from "../services.ts";

export async function handleCodexModels(received: Received, services: Services): Promise<Response> {
  return await answerListed(received, services, (directory) => codexCatalogue(routable(directory)));
}

/** Window that `auto` is said to have: what the connected models have in common at least, never less than this. */
const leastWindow = 128_000;
/** Models in the file; Codex reads it whole at every start. */
const mostModels = 200;

const autoNames = [
  ["auto", "Auto", "The cheapest connected model that is good enough."],
  [
    "auto:eco",
    "Auto, eco",
    "Begins with the cheapest model and waits longer before a stronger one takes over.",
  ],
  [
    "auto:quality",
    "Auto, quality",
    "Begins with a stronger model and goes up at the first failure.",
  ],
] as const;

/** The file: `auto` first, then the models that a coding tool can use. */
export function codexCatalogue(models: readonly ListedModel[]): { models: object[] } {
  const windows = models
    .flatMap(({ info }) => info.contextWindow ?? [])
    .filter((size) => size >= leastWindow);
  const common = windows.length > 0 ? Math.min(...windows) : leastWindow;
  const entries = models.slice(0, mostModels).map(({ id, info }, index) =>
    entry({
      slug: id,
      name: info.displayName ?? id,
      description: `Served through the gateway by ${id.slice(0, id.indexOf("/"))}.`,
      window: info.contextWindow ?? leastWindow,
      images: info.inputModalities?.includes("image") ?? true,
      priority: index + 1,
    }),
  );
  const autos = autoNames.map(([slug, name, description]) =>
    entry({ slug, name, description, window: common, images: true, priority: 0 }),
  );
  return { models: [...autos, ...entries] };
}

interface EntryFacts {
  slug: string;
  name: string;
  description: string;
  window: number;
  images: boolean;
  priority: number;
}

function entry(facts: EntryFacts): object {
  return {
    slug: facts.slug,
    display_name: facts.name,
    description: facts.description,
    default_reasoning_level: "medium",
    supported_reasoning_levels: [
      { effort: "low", description: "Responds faster" },
      { effort: "medium", description: "For everyday work" },
      { effort: "high", description: "Thinks longer about hard problems" },
    ],
    shell_type: "unified_exec",
    visibility: "list",
    supported_in_api: true,
    priority: facts.priority,
    base_instructions: codexInstructions,
    default_reasoning_summary: "auto",
    support_verbosity: false,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    context_window: facts.window,
    max_context_window: facts.window,
    input_modalities: facts.images ? ["text", "image"] : ["text"],
    experimental_supported_tools: [],
  };
}
