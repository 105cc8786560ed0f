/** Everything that each SDK is put through. */
import type { SdkTrial } from "../bench.ts";
import { embeddingsTrial } from "./embeddings.ts";
import { errorTrials } from "./errors.ts";
import { abortTrial, streamTrial } from "./stream.ts";
import { structuredTrial } from "./structured.ts";
import { taskTrial } from "./task.ts";

export const sdkTrials: readonly SdkTrial[] = [
  taskTrial,
  streamTrial,
  structuredTrial,
  embeddingsTrial,
  ...errorTrials,
  abortTrial,
];
