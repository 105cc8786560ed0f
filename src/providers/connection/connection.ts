/** What the rest of the gateway asks of the providers' folder. */
import type { ModelInfo } from "../../core/model.ts";
import type { ProviderEntry } from "../../store/config.ts";

/** A configured provider joined with its catalogue record. Pure data and pure functions of it. */
export interface Connection {
  id: string;
  kind: string;
  entry: ProviderEntry;
  baseUrl: string;
  subscription: boolean;
  /** Whether it answers without a credential (local kinds, custom, demo). */
  keyless: boolean;
  /** Seconds. */
  timeouts: { headers: number; firstContent: number; idle: number; total: number };
}

/** One routable model. `id` is what clients send: `<connection>/<model>`, `-subscription` included. */
export interface ListedModel {
  id: string;
  connection: Connection;
  /** The provider's own id is `info.id`. */
  info: ModelInfo;
}
