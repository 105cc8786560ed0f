/** How the user calls the command, for lines that can be pasted. */
import path from "node:path";

/** `npm run gateway --` in a clone, `npx gateway` where npx has started it, else `gateway`. */
export function commandName(): string {
  if (path.basename(process.argv[1] ?? "") === "gateway.ts") return "npm run gateway --";
  return process.env["npm_lifecycle_event"] === "npx" ? "npx gateway" : "gateway";
}
