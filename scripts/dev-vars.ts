/** Before `npm run dev`: makes `.dev.vars` when it is absent, with the secrets of `npm start` where it has some. */
import { makeDevVars } from "./host/state/dev-vars.ts";
import { defaultState } from "./host/options.ts";
import { devVarsFile } from "./host/paths.ts";
import { narrowFile } from "./host/state/private-files.ts";
import { readSecrets, secretsFile } from "./host/state/state-secrets.ts";

// Two sets of secrets on one checkout would make the keys of `npm start` useless: `.dev.vars` goes before the state.
const made = makeDevVars(devVarsFile, readSecrets(secretsFile(defaultState)));
for (const line of narrowFile(devVarsFile)) console.warn(line);
if (made.length > 0) console.log(`Created ${made.join(" and ")} in .dev.vars`);
console.log(
  "wrangler dev serves on http://127.0.0.1:2099 unless --port is set. The admin token is in .dev.vars.",
);
