/** Saved parameters in a chat body, and what chat makes of parameters beyond the table. */
import type { Target } from "../../../core/model.ts";
import { invalid } from "../../../core/problem.ts";
import { compoundParameters } from "../../../core/parameters.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { putMember } from "../../../translation/members.ts";
import { asItStands, type ParameterWriters } from "../../../translation/saved-parameters.ts";
import { shortHash } from "../../../translation/tool-names.ts";
import type { ParameterRules } from "../../../translation/write-parameters.ts";

/** OpenAI refuses longer names of users. */
const longestUser = 64;

export const parameterRules: ParameterRules = {
  // Of several answers another format's client would be given the first, and pay for all.
  n: (count, { request }) => {
    const { format, paths } = request;
    if (count > 1 && format !== "chat" && paths.n !== undefined)
      throw invalid(paths.n, "translated requests return one choice");
    return { send: count };
  },
  user: (user) => ({
    send: user.length <= longestUser ? user : `user_${shortHash(user)}`,
  }),
  // Anthropic's name for "no priority" is OpenAI's `default`.
  serviceTier: (tier) => ({ send: tier === "standard_only" ? "default" : tier }),
  // Not to be stored is what chat does unless asked; metadata are taken only with what is stored.
  store: (store) => (store ? { send: true } : "omit"),
  metadata: (metadata, { request }) =>
    request.store === true ? { send: metadata } : "unsupported",
};

/** In their own format names stand for themselves, but for those that depend on the model. */
export const savedWriters: ParameterWriters = {
  ...Object.fromEntries(compoundParameters.map((name) => [name, asItStands(name)])),
  max_tokens: writeLimit,
  max_completion_tokens: writeLimit,
  stop: (body, value, target) => !target.traits.noStop && putMember(body, "stop", value),
};

function writeLimit(body: JsonObject, value: JsonValue, target: Target): boolean {
  delete body["max_tokens"];
  delete body["max_completion_tokens"];
  return putMember(body, target.traits.maxTokensField, value);
}
