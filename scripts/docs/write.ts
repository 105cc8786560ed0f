/** `npm run docs`: writes the pages of the documentation that are made from the source. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../host/paths.ts";
import { generatedPages } from "./generated.ts";

for (const [file, text] of Object.entries(generatedPages())) {
  writeFileSync(path.join(root, file), text);
  console.log(file);
}
