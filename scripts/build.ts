/** `npm run build`: dist/worker.js, which every host runs, dist/assets/ for wrangler, the services of `npm start`, and `gateway`. */
import { writeAssets } from "./host/assets.ts";
import { bundleCommand } from "./host/bundle-command.ts";
import { bundleHost } from "./host/bundle.ts";
import { buildStaticFiles } from "./host/client.ts";

try {
  const files = await buildStaticFiles();
  writeAssets(files);
  await bundleHost(files);
  await bundleCommand();
} catch {
  // esbuild has said what is wrong.
  process.exitCode = 1;
}
