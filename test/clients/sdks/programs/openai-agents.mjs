/** OpenAI's Agents SDK, in both formats that it speaks. */
import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { serve } from "./serve.mjs";
import {
  instructions,
  note,
  noteInput,
  noteText,
  prompt,
  question,
  report,
  weather,
  weatherInput,
  weatherText,
} from "./work.mjs";

const tools = [
  tool({ name: "weather", description: weatherText, parameters: weatherInput, execute: weather }),
  tool({ name: "note", description: noteText, parameters: noteInput, execute: note }),
];

/** The same calls in each format. */
function wayOf(useResponses, modelSettings = {}) {
  const runnerOf = ({ gateway, key }) =>
    new Runner({
      modelProvider: new OpenAIProvider({ baseURL: `${gateway}/v1`, apiKey: key, useResponses }),
      tracingDisabled: true,
    });
  const ask = async (at, more = {}) => {
    const agent = new Agent({ name: "Assistant", instructions, model: at.model, ...more });
    return (await runnerOf(at).run(agent, question)).finalOutput;
  };
  return {
    async task(at) {
      const agent = new Agent({
        name: "Assistant",
        instructions,
        model: at.model,
        tools,
        modelSettings,
      });
      return (await runnerOf(at).run(agent, prompt)).finalOutput;
    },
    async stream(at) {
      const agent = new Agent({ name: "Assistant", instructions, model: at.model });
      const result = await runnerOf(at).run(agent, question, { stream: true, signal: at.signal });
      for await (const piece of result.toTextStream()) at.onText(piece);
      await result.completed;
      if (at.signal.aborted) throw at.signal.reason;
      return result.finalOutput;
    },
    structured: (at) => ask(at, { outputType: report }),
    ask: (at) => ask(at),
  };
}

serve({
  responses: wayOf(true, {
    store: false,
    reasoning: { effort: "low", summary: "auto" },
    providerData: { include: ["reasoning.encrypted_content"] },
  }),
  chat: wayOf(false),
});
