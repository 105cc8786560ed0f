import { runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import { call, newHolder, newWorkspace, object, restart, stubOf } from "./workers-kit.ts";

it("spike", async () => {
  const workspace = newWorkspace();
  const holder = await newHolder(workspace);
  for (let i = 0; i < 3; i += 1) {
    await call(holder);
    await object(workspace).listRequests({ limit: 1 });
  }
  const log: string[] = [];
  await runInDurableObject(stubOf(workspace), (_instance, { storage }) => {
    const shared = Object.getPrototypeOf(storage.sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      log.push(query[0].replaceAll(/\s+/g, " ").slice(0, 150));
      return exec.apply(this, query);
    } as typeof exec;
  });
  await call(holder);
  await object(workspace).status();
  await new Promise((r) => setTimeout(r, 1500));
  console.log("WARM", log.length, log.join("\n"));
  log.length = 0;
  await restart(workspace);
  await object(workspace).snapshot();
  console.log("START", log.length, log.join("\n"));
  log.length = 0;
  await call(holder);
  await new Promise((r) => setTimeout(r, 3500));
  console.log("FIRST", log.length, log.join("\n"));
});
