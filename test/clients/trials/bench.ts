/** Where one program is tried on one provider format: a workspace, a provider and folders of its own. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Received, Script } from "../../kit/script.ts";
import { versions } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { world, type World } from "../../smoke/gateway.ts";
import { admin, type Host } from "../../smoke/host.ts";
import type { Ended } from "../cli.ts";
import { launchProgram, type Launched } from "../programs/launch.ts";
import type { Program } from "../programs/program.ts";
import { prompt } from "../tasks.ts";

/** What the scripted provider of one bench answers, and what it got. */
export interface ProviderSide {
  respond: (request: Received) => Script;
  received: Received[];
}

/** A row of the request log, as far as the trials look at it. */
export interface SeenRow {
  status: number;
  outcome: string;
  stream: boolean;
  requested_model: string;
  role?: string;
  session?: string;
  parent_agent?: string;
}

export interface BenchPlace {
  host: Host;
  /** Address of the scripted provider. */
  upstream: string;
  folder: string;
  bin: string;
}

export interface BenchNames {
  program: Program;
  speaks: WireFormat;
  format: WireFormat;
  /** What is tried. */
  trial: string;
}

/** Not a key of any gateway. */
export const wrongKey = "sk-nobody-knows-this-key";

export class Bench {
  readonly provider: ProviderSide = { respond: () => ({ status: 500 }), received: [] };
  readonly names: BenchNames;
  readonly #place: BenchPlace;
  #world: World | undefined;

  constructor(names: BenchNames, place: BenchPlace) {
    this.names = names;
    this.#place = place;
  }

  /** Names the trial, also as the first part of the provider's path. */
  get id(): string {
    const { program, speaks, format, trial } = this.names;
    return `${program.id}-${speaks}-on-${format}-${trial}`;
  }

  get model(): string {
    return "lab/lab-model";
  }

  /** Folder of the work. */
  get work(): string {
    return path.join(this.#place.folder, this.id, "work");
  }

  async open(): Promise<void> {
    const { format } = this.names;
    const { upstream, host } = this.#place;
    const provider = {
      id: "lab",
      kind: "custom",
      format,
      base_url: `${upstream}/${this.id}/${versions[format]}`,
      api_key: "sk-test",
      models: [{ id: "lab-model", context_window: 200_000, max_output: 32_000 }],
    };
    // Gemini CLI names models of its own, which new harnesses take for `auto`.
    const harness = { id: "h", name: "H", aliases: { "gemini-*": "auto" } };
    this.#world = await world(host, { providers: [provider], harnesses: [harness] });
  }

  /** Starts the program on the prompt, with another key or model where these are named. */
  start(other: { key?: string; model?: string } = {}): Promise<Launched> {
    const home = path.join(this.#place.folder, this.id, "home");
    for (const needed of [this.work, home]) mkdirSync(needed, { recursive: true });
    const { program, speaks } = this.names;
    const { key = this.#opened.key, model = this.model } = other;
    const gateway = this.#place.host.base;
    const run = { speaks, gateway, key, model, prompt, work: this.work, home };
    return launchProgram(program, run, this.#place.bin);
  }

  async run(other: { key?: string; model?: string } = {}): Promise<Ended> {
    return await (
      await this.start(other)
    ).ended;
  }

  /** The newest rows of the log, newest first. */
  async rows(): Promise<SeenRow[]> {
    const { data } = await admin<{ data: SeenRow[] }>(this.#opened.host, "GET /api/requests");
    return data;
  }

  get #opened(): World {
    if (this.#world === undefined) throw new Error(`${this.id} was not opened`);
    return this.#world;
  }
}
