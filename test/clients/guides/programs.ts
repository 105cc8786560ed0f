/** Programs of the guide to SDKs, run on the packages of the SDKs' trials. */
import path from "node:path";
import type { Block } from "../../docs/blocks.ts";
import { sdks } from "../sdks/index.ts";
import { installNode } from "../sdks/install.ts";
import { installProgram } from "../programs/install.ts";

/** Packages that only a guide uses. */
const others = [{ id: "mastra", packages: { "@mastra/core": "0.24.9" } }];

/** Node, and the folder in which a program finds what it imports. Throws where no SDK has the packages. */
export async function homeOf({ text }: Block): Promise<{ node: string; folder: string }> {
  const imported = [...text.matchAll(/from "((?:@[\w-]+\/)?[\w.-]+)/g)].map(
    ([, name = ""]) => name,
  );
  const sdk = [...sdks, ...others].find(({ packages }) =>
    Object.keys(packages).includes(imported[0] ?? ""),
  );
  if (sdk === undefined) throw new Error(`no SDK has ${imported.join(" and ")}`);
  const [main = ""] = Object.keys(sdk.packages);
  const folder = path.resolve(".clients", "sdks", sdk.id);
  const node = await installNode();
  const wanted = { packages: sdk.packages, command: path.join("..", main) };
  await installProgram(folder, wanted);
  return { node, folder };
}
