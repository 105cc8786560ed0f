/** Collects what nobody holds any more, so that a WeakRef tells what is held. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** To be awaited: what a turn of the event loop looked at through a WeakRef lives until its end. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await new Promise((resolve) => setTimeout(resolve, 0));
  runInNewContext("gc()");
}
