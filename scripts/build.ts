/** `npm run build`: dist/worker.js, which every host runs, dist/assets/ for wrangler, the services of `npm start`, and `gateway`. */
import { writeAssets } from "./host/build/assets.ts";
import { bundleCommand } from "./host/build/bundle-command.ts";
import { bundleHost } from "./host/build/bundle.ts";
import { buildStaticFiles } from "./host/build/client.ts";

try {
  const files = await buildStaticFiles();
  writeAssets(files);
  await bundleHost(files);
  await bundleCommand();
} catch {
  // esbuild has said what is wrong.
  process.exitCode = 1;
}
