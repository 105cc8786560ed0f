/** How many people a workspace may have. */
import type { Env } from "../../../store/env.ts";
import { planOf } from "./plan-of.ts";

/** The bound of the workspace's plan, memberships and open invitations together; null: any number. */
export async function membersAllowed(env: Env, workspace: string): Promise<number | null> {
  return (await planOf(env, workspace)).members;
}
