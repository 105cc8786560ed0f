/**
 * `npm run test:clients [-- <options>]`: client programs do real work through the gateway, on a scripted provider of
 * each of the four formats. docs/client-tests.md lists the options.
 */
import { compareLatest, recordShapes } from "./client-shapes.ts";
import { tryGuides } from "./guides/try-guides.ts";
import { tryConnecting } from "./connect-trials.ts";
import { readOptions } from "./options.ts";
import { tryPrograms } from "./program-trials.ts";
import { playScenes } from "./scene-runs.ts";
import { tryScenarios } from "./scenario-pairs.ts";
import { trySdks } from "./sdks/sdk-trials.ts";
import { scratch } from "../smoke/host.ts";

const options = readOptions(process.argv.slice(2));
const space = scratch();
let failed: number;
try {
  failed = await tryAll();
} finally {
  space.remove();
}
process.exit(failed === 0 ? 0 : 1);

/** Returns how many failed. */
async function tryAll(): Promise<number> {
  if (options.mode === "record") return await recordShapes(options, space.folder);
  if (options.mode === "latest") return await compareLatest(options, space.folder);
  const verdicts = [
    ...(await tryScenarios(options, space.folder)),
    ...(await playScenes(options, space.folder)),
    ...(await tryPrograms(options, space.folder)),
    ...(await trySdks(options, space.folder)),
    ...(await tryGuides(options, space.folder)),
    ...(await tryConnecting(options, space.folder)),
  ];
  const bad = verdicts.filter(({ problems }) => problems.length > 0).length;
  const all = verdicts.length;
  console.log(
    bad === 0 ? `all ${all} combinations passed` : `${bad} of ${all} combinations FAILED`,
  );
  return all === 0 ? 1 : bad;
}
