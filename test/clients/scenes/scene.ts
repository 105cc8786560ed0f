/** One piece of behaviour of a client that the gateway has to bring about, played to its end. */
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Player, Stage } from "./stage.ts";

export interface Scene {
  name: string;
  /** The formats of the provider that the client works with. */
  formats: readonly WireFormat[];
  /** The providers of the scene; fresh ones for each time it is played. */
  cast(format: WireFormat): Record<string, Player>;
  /** Returns what was wrong. */
  play(stage: Stage): Promise<string[]>;
}
