/** The OpenAI SDK: Responses with a loop of one's own, chat completions with its tool runner. */
import OpenAI from "openai";
import { zodFunction, zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { serve } from "./serve.mjs";
import {
  instructions,
  note,
  noteInput,
  noteText,
  prompt,
  question,
  report,
  runTool,
  schemaOf,
  weather,
  weatherInput,
  weatherText,
} from "./work.mjs";

const clientOf = ({ gateway, key }) => new OpenAI({ baseURL: `${gateway}/v1`, apiKey: key });

const responsesTools = [
  {
    type: "function",
    name: "weather",
    description: weatherText,
    parameters: schemaOf(weatherInput),
    strict: true,
  },
  {
    type: "function",
    name: "note",
    description: noteText,
    parameters: schemaOf(noteInput),
    strict: true,
  },
];

const responses = {
  async task(at) {
    const client = clientOf(at);
    const input = [{ role: "user", content: prompt }];
    for (;;) {
      const response = await client.responses.create({
        model: at.model,
        instructions,
        input,
        tools: responsesTools,
        store: false,
        include: ["reasoning.encrypted_content"],
        reasoning: { effort: "low", summary: "auto" },
      });
      input.push(...response.output);
      const calls = response.output.filter(({ type }) => type === "function_call");
      if (calls.length === 0) return response.output_text;
      for (const { name, call_id, arguments: text } of calls) {
        const output = runTool(name, JSON.parse(text));
        input.push({ type: "function_call_output", call_id, output });
      }
    }
  },
  async stream(at) {
    const body = { model: at.model, input: question };
    const stream = clientOf(at).responses.stream(body, { signal: at.signal });
    stream.on("response.output_text.delta", ({ delta }) => at.onText(delta));
    return (await stream.finalResponse()).output_text;
  },
  async structured(at) {
    const text = { format: zodTextFormat(report, "report") };
    const response = await clientOf(at).responses.parse({ model: at.model, input: question, text });
    return response.output_parsed;
  },
  async ask(at) {
    return (await clientOf(at).responses.create({ model: at.model, input: question })).output_text;
  },
  embed,
};

const chat = {
  async task(at) {
    const runner = clientOf(at).chat.completions.runTools({
      model: at.model,
      messages: [
        { role: "system", content: instructions },
        { role: "user", content: prompt },
      ],
      tools: [
        zodFunction({
          name: "weather",
          description: weatherText,
          parameters: weatherInput,
          function: weather,
        }),
        zodFunction({ name: "note", description: noteText, parameters: noteInput, function: note }),
      ],
    });
    return await runner.finalContent();
  },
  async stream(at) {
    const messages = [{ role: "user", content: question }];
    const body = { model: at.model, messages, stream: true };
    const stream = await clientOf(at).chat.completions.create(body, { signal: at.signal });
    let text = "";
    for await (const chunk of stream) {
      const piece = chunk.choices[0]?.delta.content ?? "";
      if (piece !== "") at.onText(piece);
      text += piece;
    }
    if (at.signal.aborted) throw at.signal.reason;
    return text;
  },
  async structured(at) {
    const completion = await clientOf(at).chat.completions.parse({
      model: at.model,
      messages: [{ role: "user", content: question }],
      response_format: zodResponseFormat(report, "report"),
    });
    return completion.choices[0].message.parsed;
  },
  async ask(at) {
    const messages = [{ role: "user", content: question }];
    const completion = await clientOf(at).chat.completions.create({ model: at.model, messages });
    return completion.choices[0].message.content;
  },
  embed,
};

/** Its default asks for base64. */
async function embed(at) {
  const { data } = await clientOf(at).embeddings.create({ model: at.model, input: ["one", "two"] });
  return data.map(({ embedding }) => embedding.length);
}

serve({ responses, chat });
