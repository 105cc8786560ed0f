/** `npm run build`: dist/worker.js, which every host runs, and dist/kv.js for `npm start`. */
import { bundleKvService, bundleWorker } from "./host/bundle.ts";

await Promise.all([bundleWorker(), bundleKvService()]);
