/** Gemini's generateContent, as the provider writes it. */
import { pieces, usualUsage, type Said, type Endpoint } from "./said.ts";

export const gemini: Endpoint = {
  whole(said, model) {
    return answer(parts(said, false), { model, said, last: true });
  },
  events(said, model) {
    const list = parts(said, true);
    return list.map((part, index) => {
      const last = index === list.length - 1;
      return `data: ${JSON.stringify(answer([part], { model, said, last }))}\r\n\r\n`;
    });
  },
};

/** The state of the thinking travels on the first call, else on the last text part. */
function parts(said: Said, cut: boolean): object[] {
  const list: object[] = [];
  const texts = (text: string) => (cut ? pieces(text) : [text]);
  for (const text of said.thinking ? texts(said.thinking.text) : [])
    list.push({ text, thought: true });
  for (const text of said.text === undefined ? [] : texts(said.text)) list.push({ text });
  for (const [index, call] of (said.calls ?? []).entries()) {
    const state = index === 0 && said.thinking ? { thoughtSignature: said.thinking.state } : {};
    list.push({
      functionCall: { id: call.id, name: call.name, args: JSON.parse(call.input) },
      ...state,
    });
  }
  return list;
}

function answer(
  list: object[],
  { model, said, last }: { model: string; said: Said; last: boolean },
): object {
  const { input, cached, output } = said.usage ?? usualUsage;
  return {
    candidates: [
      { content: { role: "model", parts: list }, index: 0, ...(last && { finishReason: "STOP" }) },
    ],
    usageMetadata: {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: "r-1",
  };
}
