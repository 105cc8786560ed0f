/** Everything that each program is put through. */
import { abortTrial } from "./abort.ts";
import { rolesTrial } from "./roles.ts";
import { errorTrials } from "./errors.ts";
import { streamTrial } from "./stream.ts";
import { taskTrial } from "./task.ts";
import type { Trial } from "./trial.ts";

export const trials: readonly Trial[] = [
  taskTrial,
  streamTrial,
  ...errorTrials,
  abortTrial,
  rolesTrial,
];
