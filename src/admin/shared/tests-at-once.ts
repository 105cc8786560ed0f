/** Bounds what a workspace's tests of providers take: each calls addresses that its caller chose, and reads what they answer. */
import { Problem, problemCodes } from "../../core/problem.ts";

/** Tests of one workspace that run at once, in this isolate: more than anybody has providers to look at. */
export const mostTestsAtOnce = 32;

const underWay = new Map<string, number>();

/** Runs one of a workspace's tests; 429 where too many of them run. */
export async function oneOfTests<Outcome>(
  workspace: string,
  test: () => Promise<Outcome>,
): Promise<Outcome> {
  const others = underWay.get(workspace) ?? 0;
  if (others >= mostTestsAtOnce)
    throw new Problem(
      problemCodes.concurrency,
      "Too many tests of providers are running. Try again when they have finished.",
      { headers: { "Retry-After": "10" } },
    );
  underWay.set(workspace, others + 1);
  try {
    return await test();
  } finally {
    const left = (underWay.get(workspace) ?? 1) - 1;
    if (left === 0) underWay.delete(workspace);
    else underWay.set(workspace, left);
  }
}
