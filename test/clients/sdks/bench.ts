/** Where one way of an SDK is tried on one provider format: a workspace and a provider of its own. */
import type { Received, Script } from "../../kit/script.ts";
import { versions } from "../../kit/wire/index.ts";
import type { WireFormat } from "../../kit/wire/said.ts";
import { world, type World } from "../../smoke/gateway.ts";
import { admin, type Host } from "../../smoke/host.ts";
import { wrongKey, type ProviderSide, type SeenRow } from "../trials/bench.ts";
import type { Driver, Job, Place } from "./driver.ts";
import type { Sdk, Trialled, Way } from "./sdk.ts";

export interface SdkCase {
  sdk: Sdk;
  /** The way's name. */
  name: string;
  way: Way;
  format: WireFormat;
}

/** Something that every SDK has to get through. */
export interface SdkTrial {
  name: string;
  /** What of the SDK it uses. */
  needs: Trialled | "abort";
  /** Only the gateway's answer matters, so one provider format is enough. */
  once?: true;
  /** Only on these formats, where only these can. */
  formats?: readonly WireFormat[];
  /** Returns what was wrong. */
  run(bench: SdkBench): Promise<string[]>;
}

export class SdkBench {
  readonly tried: SdkCase;
  readonly #driver: Driver;
  readonly #side: ProviderSide = { respond: () => ({ status: 500 }), received: [] };
  #world: World | undefined;
  #seen = 0;

  constructor(tried: SdkCase, driver: Driver) {
    this.tried = tried;
    this.#driver = driver;
  }

  /** The first part of the provider's path. */
  get id(): string {
    const { sdk, name, format } = this.tried;
    return `${sdk.id}-${name}-on-${format}`;
  }

  /** Makes the workspace. */
  async open(host: Host, upstream: string): Promise<void> {
    const { format } = this.tried;
    const provider = {
      id: "lab",
      kind: "custom",
      format,
      base_url: `${upstream}/${this.id}/${versions[format]}`,
      api_key: "sk-test",
      models: [{ id: "lab-model", context_window: 200_000, max_output: 32_000 }],
    };
    this.#world = await world(host, { providers: [provider] });
  }

  /** What the provider got since the last call of `answer`. */
  get received(): readonly Received[] {
    return this.#side.received;
  }

  /** From here on the provider answers so. */
  async answer(respond: (request: Received) => Script): Promise<void> {
    this.#seen = (await this.#rows()).length;
    this.#side.received = [];
    this.#side.respond = respond;
  }

  /** The scripted provider's end. */
  respond(request: Received): Script {
    this.#side.received.push(request);
    return this.#side.respond(request);
  }

  start(action: Trialled, other: Partial<Place> = {}): Job {
    const { host, key } = this.#opened;
    const at = { gateway: host.base, key, model: "lab/lab-model", ...other };
    return this.#driver.start(this.tried.name, action, at);
  }

  /** Rows of the log since the last call of `answer`, newest first. */
  async rows(): Promise<SeenRow[]> {
    const rows = await this.#rows();
    return rows.slice(0, rows.length - this.#seen);
  }

  async #rows(): Promise<SeenRow[]> {
    const { data } = await admin<{ data: SeenRow[] }>(
      this.#opened.host,
      "GET /api/requests?limit=100",
    );
    return data;
  }

  get #opened(): World {
    if (this.#world === undefined) throw new Error(`${this.id} was not opened`);
    return this.#world;
  }
}

export { wrongKey };
