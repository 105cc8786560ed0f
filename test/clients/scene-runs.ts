/** Plays scenes with Claude Code and Codex in a gateway of their own. */
import path from "node:path";
import { startUpstream } from "../kit/upstream.ts";
import type { WireFormat } from "../kit/wire/said.ts";
import { npmStart } from "../smoke/host.ts";
import { installClients } from "./cli.ts";
import { isChosen, type Options } from "./options.ts";
import { scenes } from "./scenes/index.ts";
import type { Scene } from "./scenes/scene.ts";
import { Stage } from "./scenes/stage.ts";
import { judged, type Verdict } from "./verdict.ts";

interface Show {
  scene: Scene;
  format: WireFormat;
}

/** Plays every scene that the options name. */
export async function playScenes(options: Options, folder: string): Promise<Verdict[]> {
  const waiting = showsOf(options);
  if (waiting.length === 0) return [];
  const bin = await installClients(path.resolve(".clients"));
  const stages = new Map<string, Stage>();
  const upstream = await startUpstream({
    respond(request) {
      const [, stage = "", player = ""] = request.path.split("/");
      return stages.get(stage)?.respond(player, request) ?? { status: 404 };
    },
  });
  const host = await npmStart({ state: path.join(folder, "state-of-scenes") });
  const place = { host, upstream: upstream.url, bin, folder };
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { scene, format } = next;
      const stage = new Stage(`${scene.name}-${format}`, place, scene.cast(format));
      stages.set(stage.id, stage);
      verdicts.push(await judged(`${scene.name} on ${format}`, () => scene.play(stage)));
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, work));
    return verdicts;
  } finally {
    await host.stop();
    await upstream.close();
  }
}

function showsOf({ only, formats }: Options): Show[] {
  return scenes
    .filter(({ name }) => isChosen(only, name, "scenes"))
    .flatMap((scene) =>
      scene.formats
        .filter((format) => formats.includes(format))
        .map((format) => ({ scene, format })),
    );
}
