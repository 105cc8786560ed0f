import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeAssets } from "../../scripts/host/build/assets.ts";
import { buildStaticFiles, everyFile } from "../../scripts/host/build/client.ts";
import { scratch } from "../smoke/host.ts";

it("the folder that is deployed holds the static files of this build and nothing of earlier ones", async () => {
  const { folder, remove } = scratch();
  onTestFinished(remove);
  const assets = path.join(folder, "assets");
  mkdirSync(path.join(assets, "old"), { recursive: true });
  writeFileSync(path.join(assets, "app-0.js"), "old");
  const files = await buildStaticFiles();
  writeAssets(files, assets);
  const { script } = files;
  const built = everyFile(files).map(({ file }) => file);
  expect(built.length).toBeGreaterThan(20);
  expect(readdirSync(assets).toSorted()).toEqual(built.toSorted());
  expect(readdirSync(folder)).toEqual(["assets"]);
  expect(readFileSync(path.join(assets, script.file), "utf8")).toBe(script.text);
});

it("a static file's name stands for its text", async () => {
  const [first, second] = await Promise.all([buildStaticFiles(), buildStaticFiles()]);
  expect(first).toEqual(second);
  for (const { file } of everyFile(first)) expect(file).toMatch(/^[\w-]+-[0-9a-f]{12}\.\w+$/);
});
