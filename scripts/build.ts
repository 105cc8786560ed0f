/** `npm run build`: dist/worker.js, which every host runs, dist/assets/ for wrangler, and the services of `npm start`. */
import { writeAssets } from "./host/assets.ts";
import { bundleHost } from "./host/bundle.ts";
import { buildStaticFiles } from "./host/client.ts";

try {
  const files = await buildStaticFiles();
  writeAssets(files);
  await bundleHost(files);
} catch {
  // esbuild has said what is wrong.
  process.exitCode = 1;
}
