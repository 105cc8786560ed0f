/** What the document says of signing in coding tools: `sign_in`. */
import type { Config } from "../../store/config.ts";
import type { Env } from "../../store/env.ts";
import { defaultWorkspace } from "../../workspace/accounts/tables/workspaces.ts";
import { onWorkspace } from "../../workspace/client/on-workspace.ts";

/** The harness that keys of sign-ins are made in; undefined where there is none at all. */
export function signInHarness({ sign_in: signIn, harnesses = [] }: Config): string | undefined {
  return signIn?.harness ?? harnesses[0]?.id;
}

/** What is shown beside the code. The default workspace's: whose workspace it will be is not known yet. */
export async function loginNotice(env: Env): Promise<string | undefined> {
  const { config } = await onWorkspace(env, defaultWorkspace, (stub) => stub.snapshot());
  return config.sign_in?.login_notice;
}
