/** Turns for what passphrases cost: a pass takes the isolate's thread for about 40 ms. */
import { Pace } from "../../lib/pace.ts";
import type { PassTurn } from "../../store/backup/passphrase.ts";

/** Milliseconds from one pass to the next, whoever's it is: most of the time is left to requests. */
const period = 120;
const passPace = new Pace({ served: period, quiet: period });

/** Turns of a workspace; among workspaces they go round. */
export function passTurns(workspace: string): PassTurn {
  return () => passPace.turn(workspace);
}
