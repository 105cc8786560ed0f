/** A provider's stream that breaks after its first words: Codex is told so within the same response, and asks again. */
import { stream } from "../../kit/script.ts";
import { endpoints } from "../../kit/wire/index.ts";
import { startCodex } from "../cli.ts";
import { model } from "./lines.ts";
import type { Scene } from "./scene.ts";
import type { Player } from "./stage.ts";

const half = "These words are cut in the middle of";
const text = "Whole: déjà vu, 世界, 🎉.";

/** A model whose first answer ends in its middle. */
function breaking(format: Player["format"]): Player {
  const whole = model(format, () => ({ text }));
  let asked = 0;
  return {
    format,
    answer(request, body) {
      if (request.method === "GET") return whole.answer(request, body);
      asked += 1;
      if (asked > 1) return whole.answer(request, body);
      const events = endpoints[format].events({ text: half }, "m");
      return stream(events.slice(0, Math.ceil(events.length / 2)), { end: "cut", pace: 20 });
    },
  };
}

export const brokenStream: Scene = {
  name: "broken-stream",
  formats: ["responses", "messages", "chat", "gemini"],
  cast: (format) => ({ lab: breaking(format) }),
  async play(stage) {
    await stage.open();
    const run = { ...stage.run, client: "codex" as const, model: "lab/m" };
    const { code, output } = await startCodex(run, { prompt: "Say it." });
    const problems: string[] = [];
    if (code !== 0 || !output.includes(text)) problems.push(`ended with code ${code}`);
    const outcomes = (await stage.rows()).map(({ outcome }) => outcome);
    if (outcomes.length !== 2 || outcomes[1] !== "ok")
      problems.push(`rows: ${outcomes.join(", ")}`);
    return problems.length > 0 ? [...problems, output.slice(-1000)] : [];
  },
};
