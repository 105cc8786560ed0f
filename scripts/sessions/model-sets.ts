/** The models that sessions are routed over: a cheap, a middle and a strong one, with what their providers charge. */
import type { RoutingEntry } from "../../src/store/config.ts";

/** How capable a model is: it does what needs no more. */
export type Ability = 1 | 2 | 3;

/** USD per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface SimulatedModel {
  /** As its provider is asked for it. */
  readonly name: string;
  /** As the gateway is asked for it. */
  readonly id: string;
  readonly ability: Ability;
  readonly prices: ModelPrices;
}

/** Three models, weakest first. */
export interface ModelSet {
  readonly name: string;
  readonly models: readonly [SimulatedModel, SimulatedModel, SimulatedModel];
  readonly tiers: NonNullable<RoutingEntry["tiers"]>;
  /** The connections of a workspace with these models. */
  connections(provider: string): object[];
}

const haiku = claude("claude-haiku-4-5", { ability: 1, input: 1, output: 5 });
const sonnet = claude("claude-sonnet-4-6", { ability: 2, input: 3, output: 15 });
const opus = claude("claude-opus-4-8", { ability: 3, input: 5, output: 25 });
const mini = gpt("gpt-5-mini", { ability: 1, input: 0.25, output: 2 });
const gpt52 = gpt("gpt-5.2", { ability: 2, input: 1.75, output: 14 });

/** The sets of the benchmark. */
export const modelSets = {
  one: {
    name: "one maker",
    models: [haiku, sonnet, opus],
    tiers: tiersOf(haiku, sonnet, opus),
    connections: (provider) => [anthropicAt(provider)],
  },
  mixed: {
    name: "cheaper models of another maker",
    models: [mini, gpt52, opus],
    tiers: tiersOf(mini, gpt52, opus),
    connections: (provider) => [anthropicAt(provider), chatAt(provider, [mini, gpt52])],
  },
} as const satisfies Record<string, ModelSet>;

interface Made {
  readonly ability: Ability;
  readonly input: number;
  readonly output: number;
}

function claude(name: string, { ability, input, output }: Made): SimulatedModel {
  const prices = { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25 };
  return { name, id: `anthropic/${name}`, ability, prices };
}

/** Writing to an automatic cache costs nothing more. */
function gpt(name: string, { ability, input, output }: Made): SimulatedModel {
  const prices = { input, output, cacheRead: input * 0.1, cacheWrite: input };
  return { name, id: `other/${name}`, ability, prices };
}

function tiersOf(
  cheap: SimulatedModel,
  middle: SimulatedModel,
  strong: SimulatedModel,
): ModelSet["tiers"] {
  return {
    simple: [cheap.id],
    standard: [cheap.id],
    complex: [middle.id],
    reasoning: [strong.id],
  };
}

function anthropicAt(provider: string): object {
  return { id: "anthropic", kind: "anthropic", base_url: `${provider}/v1`, api_key: "sk-test" };
}

function chatAt(provider: string, models: readonly SimulatedModel[]): object {
  const listed = models.map(({ name, prices }) => ({
    id: name,
    cost: { input: prices.input, output: prices.output, cache_read: prices.cacheRead },
  }));
  return {
    id: "other",
    kind: "custom",
    format: "chat",
    base_url: `${provider}/v1`,
    api_key: "sk-test",
    models: listed,
  };
}
