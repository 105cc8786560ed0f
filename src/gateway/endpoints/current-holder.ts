/** The key's holder as the workspace knows it now, for responses about the workspace itself. */
import type { Holder } from "../../workspace/client/client.ts";
import { identify, keyProblem, type Identified } from "../identify.ts";
import type { Received } from "../received.ts";
import type { Services } from "../services.ts";

/** One call of the workspace's object. Throws M202, M001 to M005. */
export async function currentHolder(received: Received, services: Services): Promise<Holder> {
  return await newestHolder(await identify(received, services), services);
}

/** The same of a caller who was identified by what this isolate remembers. Throws M004, M005. */
export async function newestHolder(
  { holder, policy, client }: Pick<Identified, "holder" | "policy" | "client">,
  services: Services,
): Promise<Holder> {
  const current = await services.workspaces.refresh(holder);
  if (typeof current === "string") throw keyProblem(current, { policy, client });
  return current;
}
