/** Where a client plays a scene: a workspace and folders of its own, and providers that answer as the scene says. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Received, Script } from "../../kit/script.ts";
import { versions } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { world, type World } from "../../smoke/gateway.ts";
import { admin, type Host } from "../../smoke/host.ts";
import { isObject, type JsonObject } from "../inspect/inspection.ts";

/** A row of the request log, as far as scenes look at it. */
export interface SeenRow {
  status: number;
  outcome: string;
  role?: string;
  session?: string;
  agent?: string;
  parent_agent?: string;
  prompt?: string;
}

export interface StagePlace {
  host: Host;
  /** Address of the scripted providers. */
  upstream: string;
  /** The clients' binaries. */
  bin: string;
  folder: string;
}

/** A provider on a stage. */
export interface Player {
  format: WireFormat;
  answer(request: Received, body: JsonObject): Script;
}

export class Stage {
  /** What each provider got, by its id. */
  readonly received: Record<string, Received[]> = {};
  /** Names it, also as the first part of its providers' paths. */
  readonly id: string;
  readonly work: string;
  readonly home: string;
  readonly #place: StagePlace;
  readonly #players: Record<string, Player>;
  #world: World | undefined;

  constructor(id: string, place: StagePlace, players: Record<string, Player>) {
    this.id = id;
    this.#place = place;
    this.#players = players;
    for (const name of Object.keys(players)) this.received[name] = [];
    this.work = path.join(place.folder, id, "work");
    this.home = path.join(place.folder, id, "home");
    for (const needed of [this.work, this.home]) mkdirSync(needed, { recursive: true });
  }

  /** Makes the workspace, with these settings of its harness and of the key. */
  async open(harness: object = {}, key: object = {}): Promise<void> {
    const providers = Object.entries(this.#players).map(([id, { format }]) => ({
      id,
      kind: "custom",
      format,
      base_url: `${this.#place.upstream}/${this.id}/${id}/${versions[format]}`,
      api_key: "sk-test",
      models: [{ id: "m", context_window: 200_000, max_output: 32_000, cost }],
    }));
    const harnesses = [{ id: "h", name: "H", ...harness }];
    const made = await world(this.#place.host, { providers, harnesses });
    const own = await admin<{ key: string }>(made.host, "POST /api/harnesses/h/keys", key);
    this.#world = { ...made, key: own.key };
  }

  /** What the provider of this path answers. */
  respond(id: string, request: Received): Script {
    const player = this.#players[id];
    if (player === undefined) return { status: 404 };
    this.received[id]?.push(request);
    const body: unknown = request.text === "" ? {} : JSON.parse(request.text);
    return player.answer(request, isObject(body) ? body : {});
  }

  /** What a client of this stage is started with. */
  get run() {
    const { bin, host } = this.#place;
    const { key } = this.#opened;
    return { bin, work: this.work, home: this.home, gateway: host.base, key };
  }

  /** The newest rows of the log, oldest first. */
  async rows(): Promise<SeenRow[]> {
    const { host } = this.#opened;
    const { data } = await admin<{ data: SeenRow[] }>(host, "GET /api/requests?limit=100");
    return data.toReversed();
  }

  get #opened(): World {
    if (this.#world === undefined) throw new Error(`${this.id} was not opened`);
    return this.#world;
  }
}

const cost = { input: 1, output: 10 };
