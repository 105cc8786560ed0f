/**
 * Conversations that a provider keeps as a thread: its client sends only what is new, so that anybody else would answer
 * without what was said before. Only the maker's own service keeps threads. The errors are those by which its SDK sends
 * the whole conversation instead (recorded with @anthropic-ai/sdk 1.11).
 */
import { Problem, problemCodes } from "../core/problem.ts";
import { targetOf } from "../providers/connection/target.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Decided } from "./choose.ts";

const unsupportedCode = "thread_unsupported_request";
const lostCode = "thread_not_found";

/** Codes of refusals that clients act on. */
export const threadCodes: ReadonlySet<string> = new Set([unsupportedCode, lostCode]);

/** The request with candidates that keep threads. Throws where the one that was chosen does not. */
export function keepThread(decided: Decided): Decided {
  const { thread } = decided.request.description;
  if (thread === undefined) return decided;
  const { candidates } = decided.chosen;
  const [primary] = candidates;
  const keeps = (model: ListedModel): boolean => keepsThreads(model, decided);
  if (primary !== undefined && !keeps(primary))
    // A thread that goes on began with another model: `auto` changed it. With a new one it may come back.
    throw thread === "continue" && decided.plan.decision !== undefined ? lost() : unsupported();
  return { ...decided, chosen: { ...decided.chosen, candidates: candidates.filter(keeps) } };
}

function keepsThreads(model: ListedModel, { client }: Decided): boolean {
  const { format, traits } = targetOf(model, client.name, false);
  return format === client.name && traits.makersOwn;
}

function lost(): Problem {
  return new Problem(
    problemCodes.invalidRequest,
    "thread: the model that kept this thread is not the one that answers now; send the whole conversation.",
    { code: lostCode, extra: { details: { error_code: lostCode } }, exact: true },
  );
}

function unsupported(): Problem {
  return new Problem(
    problemCodes.invalidRequest,
    "thread: this provider keeps no threads; send the whole conversation.",
    {
      code: unsupportedCode,
      extra: { details: { error_code: unsupportedCode, unsupported: ["thread"] } },
      exact: true,
    },
  );
}
