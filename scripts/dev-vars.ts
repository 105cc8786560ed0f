/** Before `npm run dev`: makes `.dev.vars` when it is absent. */
import { makeDevVars } from "./host/dev-vars.ts";
import { devVarsFile } from "./host/paths.ts";

const made = makeDevVars(devVarsFile);
if (made.length > 0) console.log(`Created ${made.join(" and ")} in .dev.vars`);
console.log(
  "wrangler dev serves on http://127.0.0.1:2099 unless --port is set. The admin token is in .dev.vars.",
);
