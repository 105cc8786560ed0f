/** Google's Gen AI SDK. */
import { GoogleGenAI, createPartFromFunctionResponse } from "@google/genai";
import { serve } from "./serve.mjs";
import {
  instructions,
  noteInput,
  noteText,
  prompt,
  question,
  report,
  runTool,
  schemaOf,
  weatherInput,
  weatherText,
} from "./work.mjs";

const clientOf = ({ gateway, key }) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway } });

const functionDeclarations = [
  { name: "weather", description: weatherText, parametersJsonSchema: schemaOf(weatherInput) },
  { name: "note", description: noteText, parametersJsonSchema: schemaOf(noteInput) },
];

const gemini = {
  async task(at) {
    const chat = clientOf(at).chats.create({
      model: at.model,
      config: {
        systemInstruction: instructions,
        tools: [{ functionDeclarations }],
        thinkingConfig: { includeThoughts: true },
      },
    });
    let response = await chat.sendMessage({ message: prompt });
    while (response.functionCalls !== undefined) {
      const message = response.functionCalls.map(({ id, name, args }) =>
        createPartFromFunctionResponse(id, name, { result: runTool(name, args) }),
      );
      response = await chat.sendMessage({ message });
    }
    return response.text;
  },
  async stream(at) {
    const config = { abortSignal: at.signal };
    const asked = { model: at.model, contents: question, config };
    let text = "";
    for await (const chunk of await clientOf(at).models.generateContentStream(asked)) {
      if (chunk.text !== undefined) at.onText(chunk.text);
      text += chunk.text ?? "";
    }
    return text;
  },
  async structured(at) {
    const config = { responseMimeType: "application/json", responseJsonSchema: schemaOf(report) };
    const asked = { model: at.model, contents: question, config };
    return JSON.parse((await clientOf(at).models.generateContent(asked)).text);
  },
  async ask(at) {
    const asked = { model: at.model, contents: question };
    return (await clientOf(at).models.generateContent(asked)).text;
  },
  async embed(at) {
    const asked = { model: at.model, contents: ["one", "two"] };
    const { embeddings } = await clientOf(at).models.embedContent(asked);
    return embeddings.map(({ values }) => values.length);
  },
};

serve({ gemini });
