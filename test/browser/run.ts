/** `npm run test:browser`: the dashboard as people use it, in a real browser on the real worker. */
import { seed } from "./seed.ts";
import { look } from "./look.ts";
import { finish } from "./report.ts";
import { openStage } from "./stage.ts";

const stage = await openStage();
let fine = false;
try {
  const { request } = await seed(stage);
  await look(stage, request);
} finally {
  await stage.close();
  fine = finish();
}
process.exit(fine ? 0 : 1);
