/** `npm run build`: dist/worker.js, which every host runs, and dist/kv.js for `npm start`. */
import { bundleKvService, bundleWorker } from "./host/bundle.ts";

try {
  await Promise.all([bundleWorker(), bundleKvService()]);
} catch {
  // esbuild has said what is wrong.
  process.exitCode = 1;
}
