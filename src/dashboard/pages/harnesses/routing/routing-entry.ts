/** Turns the routing forms into the harness's `routing` member. Every button of them saves. */
import { type RequestRoleName, requestRoles } from "../../../../core/request-role.ts";
import { type HarnessEntry, type RoutingEntry, tierNames } from "../../../../store/config.ts";
import { fieldProblem, field } from "../../../shared/forms.ts";

type Tier = (typeof tierNames)[number];
type Chains = Record<Tier, string[]>;

/** The form with its button applied: `save`, `add <tier>`, or `up|down|remove <tier> <index>`. */
export function routingFromForm(
  form: URLSearchParams,
  before: RoutingEntry | undefined,
): RoutingEntry {
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
    // Enter in such a field presses the first button, `save`: the model is added all the same.
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
  if (chain.includes(model)) throw fieldProblem(`add.${tier}`, "is already in this tier");
  if (chain.length >= 6)
    throw fieldProblem(`add.${tier}`, "already has a primary and five fallbacks");
  chain.push(model);
}

type Roles = NonNullable<RoutingEntry["roles"]>;

/** Models and quality of every role; a role's tiers stay as they are. Undefined where no role has anything. */
export function rolesFromForm(
  form: URLSearchParams,
  before: RoutingEntry["roles"],
): Roles | undefined {
  const roles: Roles = {};
  for (const role of requestRoles) {
    const models = namesIn(field(form, `role.${role}.models`));
    const quality = qualityIn(form, role);
    const tiers = before?.[role]?.tiers;
    const own = {
      ...(tiers !== undefined && { tiers }),
      ...(models.length > 0 && { models }),
      ...(quality !== undefined && { quality }),
    };
    if (Object.keys(own).length > 0) roles[role] = own;
  }
  return Object.keys(roles).length === 0 ? undefined : roles;
}

function qualityIn(form: URLSearchParams, role: RequestRoleName): RoutingEntry["quality"] {
  const name = `role.${role}.quality`;
  const value = field(form, name);
  if (value === "") return undefined;
  const known = (["eco", "balanced", "quality"] as const).find((quality) => quality === value);
  if (known === undefined) throw fieldProblem(name, "choose one from the list");
  return known;
}

type HeaderRule = NonNullable<RoutingEntry["headers"]>[number];

/** The header rule of a form. */
export function headerRuleFromForm(form: URLSearchParams): HeaderRule {
  const models = namesIn(field(form, "models"));
  if (models.length === 0) throw fieldProblem("models", "enter at least one model");
  return {
    name: field(form, "name"),
    header: field(form, "header"),
    value: field(form, "value"),
    models,
  };
}

/** Reads one `model -> fallback, fallback` per line. */
export function fallbacksFromText(text: string): Record<string, string[]> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", rest] = line.split(" -> ");
      if (name.trim() === "" || rest === undefined)
        throw fieldProblem(
          "fallbacks",
          `expected "model -> fallback, fallback", found ${JSON.stringify(line.slice(0, 60))}`,
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

/** The harness with that routing; empty members, or an empty routing, are left out. */
export function withRouting(harness: HarnessEntry, routing: Record<string, unknown>): HarnessEntry {
  const { routing: _, ...rest } = harness;
  const filled = Object.entries(routing).filter(
    ([, value]) =>
      value !== undefined &&
      !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
  );
  return filled.length === 0 ? rest : { ...rest, routing: Object.fromEntries(filled) };
}
