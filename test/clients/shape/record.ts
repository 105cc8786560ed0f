/** Lets a client work through a recorder, in each of its formats. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { startUpstream } from "../../kit/upstream.ts";
import { versions } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { world } from "../../smoke/gateway.ts";
import type { Host } from "../../smoke/host.ts";
import { agentFor } from "../agent.ts";
import { prompt } from "../tasks.ts";
import { startRecorder } from "./recorder.ts";
import { shapeOf, type ClientShape } from "./shape.ts";
import type { Subject } from "./subjects.ts";

/** What a client was seen to send. */
export interface Recording {
  /** By the format that it spoke. */
  ways: Partial<Record<WireFormat, ClientShape>>;
  /** What was wrong with its work. */
  problems: string[];
}

/** `bin`: the folder of its command; `folder`: where its work and its home are made. */
export async function record(
  subject: Subject,
  at: { host: Host; bin: string; folder: string },
): Promise<Recording> {
  const recording: Recording = { ways: {}, problems: [] };
  for (const way of subject.ways) {
    const { shape, problems } = await recordWay(subject, way, at);
    recording.ways[way] = shape;
    recording.problems.push(...problems.map((problem) => `${way}: ${problem}`));
  }
  return recording;
}

async function recordWay(
  subject: Subject,
  way: WireFormat,
  { host, bin, folder }: { host: Host; bin: string; folder: string },
): Promise<{ shape: ClientShape; problems: string[] }> {
  const work = path.join(folder, `${subject.id}-${way}`, "work");
  const home = path.join(folder, `${subject.id}-${way}`, "home");
  for (const needed of [work, home]) mkdirSync(needed, { recursive: true });
  const agent = agentFor(subject.task(work));
  const upstream = await startUpstream({ respond: (request) => agent.respond(request, way) });
  const recorder = await startRecorder(host.base);
  try {
    const { key } = await world(host, { providers: [provider(subject, way, upstream.url)] });
    const model = `lab/${subject.model}`;
    const run = { speaks: way, gateway: recorder.url, key, model, prompt, work, home };
    // What the provider would find fault with is the client's own: nothing is translated here.
    const problems = await subject.work(run, bin);
    if (!agent.finished()) problems.push("the task was not brought to its end");
    return { shape: shapeOf(recorder.sent, model), problems };
  } finally {
    recorder.close();
    await upstream.close();
  }
}

function provider({ model }: Subject, format: WireFormat, url: string) {
  return {
    id: "lab",
    kind: "custom",
    format,
    base_url: `${url}/${versions[format]}`,
    api_key: "sk-test",
    models: [{ id: model, context_window: 1_000_000, max_output: 128_000 }],
  };
}
