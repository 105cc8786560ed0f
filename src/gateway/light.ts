/** Requests that ask for no answer of a model: counted in the windows, without a slot. */
import type { Call } from "./call.ts";
import { identify, type Identified } from "./identify.ts";
import type { Services } from "./services.ts";

/** Identifies and counts the caller. Throws M001–M005, M201, M202. Leaves the newest snapshot in `call.holder`. */
export async function admitLight(call: Call, services: Services): Promise<void> {
  const identified = await identify(call, services);
  call.holder = identified.holder;
  await countLight(call, services, identified);
}

/** The second half of it, for requests whose body is judged first. Throws M004, M005, M201. */
export async function countLight(
  call: Call,
  services: Services,
  { holder, giveBack }: Identified,
): Promise<void> {
  let { snapshot } = holder;
  for (let tries = 0; tries < 3; tries++) {
    const answer = await services.meter.admit(holder.workspace, {
      requestId: call.id,
      keyHash: holder.keyHash,
      harness: holder.harness,
      generation: snapshot.generation,
      weight: "light",
      candidates: [],
      flexible: false,
    });
    if (answer.verdict === "stale") {
      ({ snapshot } = answer);
      call.holder = { ...holder, snapshot };
      continue;
    }
    if (answer.rate) call.rate = answer.rate;
    if (answer.verdict === "admitted") return;
    if (answer.refusal.code !== "M004" && answer.refusal.code !== "M005") await giveBack();
    throw call.policy.refusal(answer.refusal);
  }
  throw new Error("the workspace's configuration changes faster than a request can be counted");
}
