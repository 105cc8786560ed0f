/** Whose key it is by the workspace's own word, for answers that say something of the workspace itself. */
import type { Holder } from "../workspace/client.ts";
import { identify, keyProblem } from "./identify.ts";
import type { Received } from "./received.ts";
import type { Services } from "./services.ts";

/** One call of the workspace's object. Throws M202, M001 to M005. */
export async function currentHolder(received: Received, services: Services): Promise<Holder> {
  const { holder } = await identify(received, services);
  const current = await services.workspaces.refresh(holder);
  if (typeof current === "string") throw keyProblem(current, received);
  return current;
}
