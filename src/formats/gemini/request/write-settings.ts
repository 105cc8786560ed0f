/** Sampling, limits, thinking and the shape of the output as Gemini's `generationConfig`. */
import { budgetToEffort, effortToBudget, nearestEffort } from "../../../translation/effort.ts";
import { invalid } from "../../../core/problem.ts";
import type { Reasoning } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { subsetSchema } from "./write-schema.ts";
import { dropField, type Writing } from "./write-context.ts";

/** Largest thinking budget that all models with budgets take. */
const largestBudget = 24_576;
/** Least budget of models that cannot stop thinking. */
const leastBudget = 128;
const mostStops = 5;
const mostLogprobs = 20;

export interface WrittenConfig {
  config: JsonObject;
  /** What the dialect cannot be told in a field, in words. */
  instruction?: string;
}

export function writeConfig(writing: Writing, hasFunctions: boolean): WrittenConfig {
  const { request, target } = writing;
  const output = outputShape(writing, hasFunctions);
  const max = request.maxOutput === undefined ? undefined : limit(request.maxOutput, target);
  const config = {
    ...(max !== undefined && { maxOutputTokens: max }),
    ...sampling(writing),
    ...extraSampling(writing),
    ...stops(writing),
    ...output.config,
    ...thinking(writing),
  };
  return { config, ...(output.instruction !== undefined && { instruction: output.instruction }) };
}

function limit(wanted: number, target: Writing["target"]): number {
  const least = Math.max(wanted, target.traits.minOutput);
  return target.maxOutput === undefined ? least : Math.min(least, target.maxOutput);
}

function sampling(writing: Writing): JsonObject {
  const { traits } = writing.target;
  const { temperature, topP } = writing.request.sampling;
  if (traits.sampling === "none") {
    if (temperature !== undefined && temperature !== 1) dropField(writing, "temperature");
    if (topP !== undefined && topP !== 1) dropField(writing, "topP");
    return {};
  }
  return {
    ...(temperature !== undefined && { temperature: Math.min(temperature, traits.maxTemperature) }),
    ...(topP !== undefined && { topP }),
  };
}

function extraSampling(writing: Writing): JsonObject {
  const { extraSampling: knows } = writing.target.traits;
  const { sampling: wanted } = writing.request;
  if (wanted.n !== undefined && wanted.n > 1) {
    throw invalid(writing.request.paths.n ?? "n", "this provider's answers hold one choice");
  }
  if (wanted.logitBias !== undefined) dropField(writing, "logitBias");
  const out: JsonObject = {};
  const say = (
    name: "topK" | "frequencyPenalty" | "presencePenalty" | "seed",
    known: boolean,
  ): void => {
    const value = wanted[name];
    if (value === undefined) return;
    if (known) out[name] = value;
    else dropField(writing, name);
  };
  say("topK", knows.includes("topK"));
  say("frequencyPenalty", knows.includes("penalties"));
  say("presencePenalty", knows.includes("penalties"));
  say("seed", knows.includes("seed"));
  return { ...out, ...logprobs(writing) };
}

function logprobs(writing: Writing): JsonObject {
  const { logprobs: wanted, topLogprobs } = writing.request.sampling;
  if (wanted === undefined && topLogprobs === undefined) return {};
  if (!writing.target.traits.extraSampling.includes("logprobs")) {
    dropField(writing, "logprobs");
    dropField(writing, "topLogprobs");
    return {};
  }
  if (wanted === false) return {};
  return {
    responseLogprobs: true,
    ...(topLogprobs !== undefined &&
      topLogprobs > 0 && { logprobs: Math.min(topLogprobs, mostLogprobs) }),
  };
}

function stops(writing: Writing): JsonObject {
  const said = writing.request.stop.filter((text) => text !== "");
  if (said.length === 0) return {};
  if (writing.target.traits.noStop) {
    dropField(writing, "stop");
    return {};
  }
  if (said.length > mostStops) dropField(writing, "stop");
  return { stopSequences: said.slice(0, mostStops) };
}

function outputShape(writing: Writing, hasFunctions: boolean): WrittenConfig {
  const { output } = writing.request;
  const { traits } = writing.target;
  if (!output) return { config: {} };
  if (hasFunctions && !traits.mixedTools) {
    const shape =
      output.type === "schema"
        ? ` that matches this JSON schema: ${JSON.stringify(output.schema)}`
        : "";
    return {
      config: {},
      instruction: `When you give your final answer, answer with nothing but one JSON value${shape}`,
    };
  }
  const json = { responseMimeType: "application/json" };
  if (output.type === "json") return { config: json };
  if (!traits.schemaOutput) {
    dropField(writing, "output");
    return { config: json };
  }
  const { description } = output;
  const schema = { ...(description !== undefined && { description }), ...output.schema };
  if (traits.jsonSchemaTools) return { config: { ...json, responseJsonSchema: schema } };
  const subset = subsetSchema(schema);
  return { config: { ...json, ...(subset && { responseSchema: subset }) } };
}

/** A word from models that know levels, tokens for those that know budgets. */
function thinking(writing: Writing): JsonObject {
  const { reasoning } = writing.request;
  if (!reasoning) return {};
  const kind = writing.target.traits.reasoning;
  const asked =
    kind === "none"
      ? {}
      : kind === "budget"
        ? budgetOf(writing, reasoning)
        : levelOf(writing, reasoning);
  if (Object.keys(asked).length === 0 && isAsked(reasoning)) {
    // The OpenAI word for effort leaves no trace in what is reported as lost.
    if (writing.request.openaiOnly.reasoning_effort !== undefined)
      writing.quiet.add("reasoning_effort");
    else dropField(writing, "reasoning");
  }
  if (kind === "none") {
    if (reasoning.summary !== undefined) dropField(writing, "reasoningSummary");
    return {};
  }
  const off =
    asked["thinkingBudget"] === 0 || reasoning.mode === "off" || reasoning.effort === "none";
  const shown = !off && !isHidden(writing);
  if (Object.keys(asked).length === 0 && !shown) return {};
  return { thinkingConfig: { ...asked, ...(shown && { includeThoughts: true }) } };
}

function isAsked(reasoning: Reasoning): boolean {
  return (
    reasoning.effort !== undefined || reasoning.budget !== undefined || reasoning.mode !== undefined
  );
}

/** Messages clients say how they want to see thoughts; saying nothing of it is how they leave them out. */
function isHidden({ request }: Writing): boolean {
  return request.format === "messages" && request.reasoning?.summary === undefined;
}

function budgetOf(writing: Writing, reasoning: Reasoning): JsonObject {
  const { maxOutput } = writing.request;
  if (reasoning.mode === "off" || reasoning.effort === "none" || reasoning.budget === 0) {
    const { efforts } = writing.target.traits;
    return { thinkingBudget: efforts.includes("none") ? 0 : leastBudget };
  }
  if (reasoning.effort !== undefined) {
    const tokens = effortToBudget(reasoning.effort, maxOutput);
    if (tokens !== undefined) return { thinkingBudget: Math.min(tokens, largestBudget) };
    return maxOutput === undefined
      ? {}
      : { thinkingBudget: Math.min(leastBudget, Math.max(0, maxOutput - 1)) };
  }
  if (reasoning.budget !== undefined)
    return { thinkingBudget: Math.min(reasoning.budget, largestBudget) };
  return reasoning.mode === "adaptive" ? { thinkingBudget: -1 } : {};
}

function levelOf(writing: Writing, reasoning: Reasoning): JsonObject {
  const effort = effortOf(reasoning);
  if (effort === undefined) return {};
  const known = writing.target.traits.efforts.filter((word) => Object.hasOwn(levels, word));
  const word = nearestEffort(effort, known);
  const level = word === undefined ? undefined : levels[word];
  return level === undefined ? {} : { thinkingLevel: level };
}

const levels: Record<string, string> = {
  none: "MINIMAL",
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
  max: "HIGH",
};

function effortOf(reasoning: Reasoning): string | undefined {
  if (reasoning.mode === "off") return "none";
  if (reasoning.effort !== undefined) return reasoning.effort;
  if (reasoning.budget !== undefined) return budgetToEffort(reasoning.budget);
  return reasoning.mode === "adaptive" ? "high" : undefined;
}
