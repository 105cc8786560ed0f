import path from "node:path";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { openStage } from "./stage.ts";
import { seed } from "./seed.ts";
void path;
void mkdirSync;
const stage = await openStage();
const { key } = await seed(stage);
console.log(
  "base",
  stage.gateway.base,
  "pid",
  stage.gateway.child.pid,
  "token",
  stage.gateway.adminToken,
  "key",
  key,
);
void execFileSync;
await new Promise(() => undefined);
