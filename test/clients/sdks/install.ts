/** Installs SDKs from npm, each into a folder of its own, and the Node that all of them support. */
import path from "node:path";
import { installProgram, type Wanted } from "../programs/install.ts";
import type { Sdk } from "./sdk.ts";

const wantedNode = { packages: { node: "22.23.3" }, scripts: ["node"], command: "node" };

/** What npm installs. A library has no command: its folder is what must be there. */
export function wantedOf({ packages }: Sdk): Wanted {
  const [main = ""] = Object.keys(packages);
  return { packages, command: path.join("..", main) };
}

/** Where an SDK is installed, and the Node to run it on. */
export async function installSdk(sdk: Sdk): Promise<{ node: string; folder: string }> {
  const folder = path.resolve(".clients", "sdks", sdk.id);
  const node = await installNode();
  await installProgram(folder, wantedOf(sdk));
  return { node, folder };
}

/** The Node that all SDKs support. */
export async function installNode(): Promise<string> {
  const bin = await installProgram(path.resolve(".clients", "sdks", "node"), wantedNode);
  return path.join(bin, "node");
}
