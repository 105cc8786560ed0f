/** `npm run test:browser`: the dashboard as people use it, in a real browser on the real worker. */
import { seed } from "./seed.ts";
import { journey } from "./journey.ts";
import { tasks } from "./tasks.ts";
import { hostileTexts } from "./hostile.ts";
import { safety } from "./safety.ts";
import { variantsAndModes } from "./variants-and-modes.ts";
import { people } from "./people.ts";
import { plans } from "./plans.ts";
import { webhooks } from "./webhooks.ts";
import { look, slowest } from "./look.ts";
import { finish } from "./report.ts";
import { usage } from "./usage.ts";
import { openStage } from "./stage.ts";

const stage = await openStage();
let fine = false;
try {
  await journey(stage);
  const { request, key } = await seed(stage);
  await usage(stage, key);
  await tasks(stage);
  await look(stage, request);
  console.log(`        slowest page, interactive after ${Math.round(slowest)} ms`);
  await hostileTexts(stage);
  await safety(stage);
  await variantsAndModes(stage);
  await people(stage);
  await plans(stage);
  await webhooks(stage);
} finally {
  await stage.close();
  fine = finish();
}
process.exit(fine ? 0 : 1);
