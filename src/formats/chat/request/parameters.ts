/** Saved parameters in a chat body: in their own format every name stands for itself. */
import type { Target } from "../../../core/model.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import {
  named,
  putMember,
  sampled,
  temperature,
  type ParameterWriter,
} from "../../../translation/saved-parameters.ts";

const chatWriters: Readonly<Record<string, ParameterWriter>> = {
  temperature: sampled(temperature),
  top_p: sampled(named("top_p")),
  max_tokens: chatLimit,
  max_completion_tokens: chatLimit,
  stop: (body, value, target) => !target.traits.noStop && putMember(body, "stop", value),
};

function chatLimit(body: JsonObject, value: JsonValue, target: Target): boolean {
  delete body["max_tokens"];
  delete body["max_completion_tokens"];
  return putMember(body, target.traits.maxTokensField, value);
}

/** The writer of a saved parameter. */
export function parameterWriter(name: string): ParameterWriter {
  return Object.hasOwn(chatWriters, name) ? (chatWriters[name] ?? named(name)) : named(name);
}
