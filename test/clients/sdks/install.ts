/** Installs SDKs from npm, each into a folder of its own, and the Node that all of them support. */
import path from "node:path";
import { installProgram } from "../programs/install.ts";
import type { Sdk } from "./sdk.ts";

const node = { packages: { node: "22.23.3" }, scripts: ["node"], command: "node" };

/** Where an SDK is installed, and the Node to run it on. */
export async function installSdk(
  { id, packages }: Pick<Sdk, "id" | "packages">,
  below: string = path.resolve(".clients", "sdks"),
): Promise<{ node: string; folder: string }> {
  const folder = path.join(below, id);
  const nodeBin = await installProgram(path.resolve(".clients", "sdks", "node"), node);
  const [main = ""] = Object.keys(packages);
  // A library has no command: its folder is what must be there.
  await installProgram(folder, { packages, command: path.join("..", main) });
  return { node: path.join(nodeBin, "node"), folder };
}
