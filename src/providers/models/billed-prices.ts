/** What a model is billed at. */
import type { Prices } from "../../core/model.ts";
import { isSecretHeader } from "../../store/secrets.ts";
import type { Connection, ListedModel } from "../connection/connection.ts";

/** Its prices; nothing where nobody is paid. Undefined where the price is not known. */
export function billedPrices({ connection, info }: ListedModel): Prices | undefined {
  const { prices } = info;
  if (connection.subscription || !isFree(connection)) return prices;
  const isPaid = (prices?.input ?? 0) > 0 || (prices?.output ?? 0) > 0;
  return { input: 0, output: 0, ...(!isPaid && { free: "own" as const }), ...prices };
}

/** A server of one's own: a local kind, or an endpoint that wants no credential. */
function isFree({ kind, keyless, entry }: Connection): boolean {
  if (kind !== "custom") return keyless;
  const secretHeaders = Object.keys(entry.headers ?? {}).some(isSecretHeader);
  return entry.api_key === undefined && !secretHeaders;
}
