/** How many people a workspace may have. */
import type { Env } from "../../store/env.ts";

/** The bound of the workspace's plan; null: any number. */
export async function membersAllowed(_env: Env, _workspace: string): Promise<number | null> {
  return null;
}
