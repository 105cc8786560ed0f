/**
 * `npm run trace < log`: the same text with positions in the built worker told as positions in src. The map is that
 * of the last build: build the version that wrote the log.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { distFolder } from "./host/paths.ts";
import { tracedText } from "./host/traced-text.ts";

const map = readFileSync(path.join(distFolder, "worker.js.map"), "utf8");
process.stdout.write(tracedText(await text(process.stdin), map));
