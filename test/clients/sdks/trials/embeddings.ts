/** Two texts as vectors, from providers of both forms. */
import { whole, type Received, type Script } from "../../../kit/script.ts";
import type { SdkTrial } from "../bench.ts";
import { unlessValue } from "./judging.ts";

const vectors = [
  [0.25, -1, 0.5],
  [1, 0.125, 2],
];

export const embeddingsTrial: SdkTrial = {
  name: "embeddings",
  needs: "embed",
  formats: ["chat", "responses", "gemini"],
  async run(bench) {
    await bench.answer((request) => vectorsFor(request));
    const done = await bench.start("embed").ended;
    return unlessValue(
      done,
      vectors.map(({ length }) => length),
    );
  },
};

function vectorsFor({ path, text }: Received): Script {
  if (path.includes("embedContent")) return whole({ embedding: { values: vectors[0] } });
  if (path.includes("batchEmbedContents"))
    return whole({ embeddings: vectors.map((values) => ({ values })) });
  const base64 = text.includes('"base64"');
  const data = vectors.map((values, index) => ({
    object: "embedding",
    index,
    embedding: base64 ? Buffer.from(new Float32Array(values).buffer).toString("base64") : values,
  }));
  const usage = { prompt_tokens: 2, total_tokens: 2 };
  return whole({ object: "list", model: "lab-model", data, usage });
}
