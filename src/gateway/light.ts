/** Requests that ask for no answer of a model: counted in the windows, without a slot. */
import type { Call } from "./call.ts";
import { identify } from "./identify.ts";
import type { Services } from "./services.ts";

/** Identifies and counts the caller. Throws M001–M005, M201, M202. Leaves the newest snapshot in `call.holder`. */
export async function admitLight(call: Call, services: Services): Promise<void> {
  const { holder, giveBack } = await identify(call, services);
  call.holder = holder;
  for (let tries = 0; tries < 3; tries++) {
    const answer = await services.meter.admit(holder.workspace, {
      requestId: call.id,
      keyHash: holder.keyHash,
      harness: holder.harness,
      generation: call.holder.snapshot.generation,
      weight: "light",
      candidates: [],
      flexible: false,
    });
    if (answer.verdict === "stale") {
      call.holder = { ...holder, snapshot: answer.snapshot };
      continue;
    }
    if (answer.rate) call.rate = answer.rate;
    if (answer.verdict === "admitted") return;
    if (answer.refusal.code !== "M004" && answer.refusal.code !== "M005") await giveBack();
    throw call.policy.refusal(answer.refusal);
  }
  throw new Error("the workspace's configuration changes faster than a request can be counted");
}
