/** Before `npm run dev`: makes `.dev.vars` when it is absent. */
import { makeDevVars } from "./host/dev-vars.ts";
import { devVarsFile } from "./host/paths.ts";

const made = makeDevVars(devVarsFile);
if (made.length > 0) console.log(`made ${made.join(" and ")} in .dev.vars`);
console.log(
  "wrangler dev: http://127.0.0.1:2099 unless --port says otherwise; the admin token is in .dev.vars",
);
