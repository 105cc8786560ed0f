/** The Anthropic SDK, with its tool runner (which keeps a thread) and its message stream. */
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
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

const clientOf = ({ gateway, key }) => new Anthropic({ baseURL: gateway, apiKey: key });
const asked = { max_tokens: 1024, messages: [{ role: "user", content: question }] };
const textOf = ({ content }) =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

const tools = [
  betaZodTool({
    name: "weather",
    description: weatherText,
    inputSchema: weatherInput,
    run: weather,
  }),
  betaZodTool({ name: "note", description: noteText, inputSchema: noteInput, run: note }),
];

const messages = {
  async task(at) {
    const message = await clientOf(at).beta.messages.toolRunner({
      model: at.model,
      max_tokens: 4096,
      thinking: { type: "enabled", budget_tokens: 2048 },
      system: instructions,
      messages: [{ role: "user", content: prompt }],
      tools,
    });
    return textOf(message);
  },
  async stream(at) {
    const stream = clientOf(at).messages.stream(
      { model: at.model, ...asked },
      { signal: at.signal },
    );
    stream.on("text", (piece) => at.onText(piece));
    return textOf(await stream.finalMessage());
  },
  async structured(at) {
    const output_config = { format: zodOutputFormat(report) };
    const message = await clientOf(at).messages.parse({ model: at.model, ...asked, output_config });
    return message.parsed_output;
  },
  async ask(at) {
    return textOf(await clientOf(at).messages.create({ model: at.model, ...asked }));
  },
};

serve({ messages });
