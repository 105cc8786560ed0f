/** How a key's holder wants the gateway's own errors. */
import type { ErrorDelivery } from "../policy/policy.ts";
import type { Holder } from "../workspace/client.ts";

/** By the harness's setting; rendered as answers unless it says otherwise. */
export function errorDelivery({ snapshot, harness }: Holder): ErrorDelivery {
  const entry = snapshot.config.harnesses?.find(({ id }) => id === harness);
  return entry?.errors ?? "spoken";
}
