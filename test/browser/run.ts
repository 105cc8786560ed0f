/**
 * `npm run test:browser`: the dashboard as people use it, in a real browser on the real worker.
 * `npm run test:browser -- --only journey,look` runs these parts alone, with the seed where one of them needs it.
 */
import { type Part, runParts } from "./parts.ts";
import { journey } from "./journey.ts";
import { tasks } from "./tasks.ts";
import { hostileTexts } from "./hostile.ts";
import { safety } from "./safety.ts";
import { variantsAndModes } from "./variants-and-modes.ts";
import { people } from "./people.ts";
import { plans } from "./plans.ts";
import { webhooks } from "./webhooks.ts";
import { look } from "./look.ts";
import { backupWalk } from "./walks/backup.ts";
import { docs } from "./walks/docs.ts";
import { usage } from "./usage.ts";
import { npmRunBench } from "../smoke/host.ts";
import { connectProvider } from "./walks/connect-provider.ts";
import { findRequest } from "./walks/find-request.ts";
import { readLog } from "./walks/read-log.ts";
import { importAndRestore } from "./walks/import-restore.ts";
import { limitsPeopleTrust } from "./walks/limits.ts";
import { explain } from "./walks/explain.ts";

/** In this order, which matters where they share a gateway. One line each; a file of `walks/` has its file's name. */
const parts: readonly Part[] = [
  { name: "journey", on: "shared", run: journey },
  { name: "usage", on: "seeded", run: (stage, { key }) => usage(stage, key) },
  { name: "tasks", on: "seeded", run: tasks },
  { name: "look", on: "seeded", run: (stage, { request }) => look(stage, request) },
  { name: "hostile", on: "seeded", run: hostileTexts },
  { name: "safety", on: "seeded", run: safety },
  { name: "import-restore", on: "own", run: importAndRestore },
  { name: "limits", on: "own", run: limitsPeopleTrust },
  { name: "variants-and-modes", on: "seeded", run: variantsAndModes },
  { name: "people", on: "shared", run: people },
  { name: "plans", on: "shared", run: plans },
  { name: "explain", on: "own", run: explain },
  { name: "webhooks", on: "seeded", run: webhooks },
  { name: "connect-provider", on: "own", run: connectProvider },
  { name: "find-request", on: "own", start: npmRunBench, run: findRequest },
  { name: "read-log", on: "own", run: readLog },
  { name: "backup", on: "own", run: backupWalk },
  { name: "docs", on: "own", run: docs },
];

process.exit((await runParts(parts, process.argv.slice(2))) ? 0 : 1);
