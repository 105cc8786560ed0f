/** The routing form and the member of the document that it stands for. Every button saves at once. */
import { type HarnessEntry, type RoutingEntry, tierNames } from "../store/config.ts";
import { fault, field } from "./shared/forms.ts";

type Tier = (typeof tierNames)[number];
type Chains = Record<Tier, string[]>;

/** What the form says after its button was applied: `save`, or `up|down|remove <tier> <index>`, or `add <tier>`. */
export function routingFrom(form: URLSearchParams, before: RoutingEntry | undefined): RoutingEntry {
  const chains = chainsFrom(form);
  applyButton(chains, form);
  const tiers = Object.fromEntries(
    Object.entries(chains).filter(([, models]) => models.length > 0),
  );
  const { auto: _, quality: __, learning: ___, tiers: ____, ...rest } = before ?? {};
  const quality = field(form, "quality");
  const routing: Record<string, unknown> = { ...rest };
  if (!form.has("auto")) routing["auto"] = false;
  if (quality !== "" && quality !== "balanced") routing["quality"] = quality;
  if (form.has("learning")) routing["learning"] = true;
  if (Object.keys(tiers).length > 0) routing["tiers"] = tiers;
  return routing;
}

function chainsFrom(form: URLSearchParams): Chains {
  const chain = (tier: Tier): string[] =>
    form
      .getAll(`tier.${tier}`)
      .map((id) => id.trim())
      .filter((id) => id !== "");
  return {
    simple: chain("simple"),
    standard: chain("standard"),
    complex: chain("complex"),
    reasoning: chain("reasoning"),
    default: chain("default"),
  };
}

function applyButton(chains: Chains, form: URLSearchParams): void {
  const [what = "save", name = "", index = ""] = field(form, "do").split(" ");
  for (const tier of tierNames) {
    const model = field(form, `add.${tier}`);
    // Enter in such a field presses the form's first button; what was typed is meant all the same.
    if (model !== "") add(chains[tier], model, tier);
  }
  const tier = tierNames.find((candidate) => candidate === name);
  if (tier === undefined || what === "save" || what === "add") return;
  const chain = chains[tier];
  const at = Number(index);
  const moved = chain[at];
  if (moved === undefined) return;
  chain.splice(at, 1);
  if (what === "up") chain.splice(Math.max(0, at - 1), 0, moved);
  if (what === "down") chain.splice(at + 1, 0, moved);
}

function add(chain: string[], model: string, tier: Tier): void {
  if (chain.includes(model)) throw fault(`add.${tier}`, "stands in this chain already");
  if (chain.length >= 6) throw fault(`add.${tier}`, "has its primary and five fallbacks already");
  chain.push(model);
}

type HeaderRule = NonNullable<RoutingEntry["headers"]>[number];

export function ruleFrom(form: URLSearchParams): HeaderRule {
  const models = namesIn(field(form, "models"));
  if (models.length === 0) throw fault("models", "name at least one model");
  return {
    name: field(form, "name"),
    header: field(form, "header"),
    value: field(form, "value"),
    models,
  };
}

/** One `model: fallback, fallback` a line. */
export function fallbacksFrom(text: string): Record<string, string[]> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", rest] = line.split(" -> ");
      if (name.trim() === "" || rest === undefined)
        throw fault(
          "fallbacks",
          `write ${JSON.stringify(line.slice(0, 60))} as: model -> fallback, fallback`,
        );
      return [name.trim(), namesIn(rest)];
    }),
  );
}

function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The harness with another routing, left out where it says nothing. */
export function withRouting(harness: HarnessEntry, routing: Record<string, unknown>): HarnessEntry {
  const { routing: _, ...rest } = harness;
  const said = Object.entries(routing).filter(
    ([, value]) =>
      value !== undefined &&
      !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
  );
  return said.length === 0 ? rest : { ...rest, routing: Object.fromEntries(said) };
}
