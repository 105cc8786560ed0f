/**
 * `npm run trace < log`: the same text with positions in the built worker told as positions in src. The maps are those
 * of the source as it stands: check out the version that wrote the log.
 */
import path from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { workerOptions } from "./host/build/bundle.ts";
import { buildStaticFiles } from "./host/build/client.ts";
import { distFolder } from "./host/paths.ts";
import { tracedText } from "./host/traced-text.ts";

const { outputFiles } = await build(workerOptions(await buildStaticFiles()));
const maps = outputFiles
  .filter((file) => file.path.endsWith(".map"))
  .map(
    (file) => [path.relative(distFolder, file.path).slice(0, -".map".length), file.text] as const,
  );
process.stdout.write(tracedText(await text(process.stdin), new Map(maps)));
