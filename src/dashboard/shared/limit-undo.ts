/** Undoing a change of limits that are not the document's: those of a key or a person, by the audit log. */
import * as z from "zod";
import { listAudit } from "../../admin/routes/events/audit.ts";
import type { AdminScope } from "../../admin/shared/scope.ts";
import { sameJson } from "../../lib/json.ts";
import { type LimitEntry, limitsSchema } from "../../store/config.ts";

/** A list of limits before and after a change. */
export interface LimitChange {
  readonly before: LimitEntry[];
  readonly after: LimitEntry[];
}

/** Whose limits: as the audit log names the change, and what was changed. */
export interface LimitTarget {
  readonly action: "key.changed" | "limits.changed";
  /** Id of the key or person. */
  readonly id: string;
}

/** Milliseconds for which a change can be undone. */
const justNow = 600_000;
/** Newest events that are looked through. */
const mostEvents = 20;

/** The viewer's own change of these limits, where it is the newest one and was made just now. */
export async function lastLimitChange(
  scope: AdminScope,
  { action, id }: LimitTarget,
): Promise<LimitChange | undefined> {
  const { data } = await listAudit(scope, { action, limit: mostEvents });
  const event = data.find(({ target }) => target === id);
  const { actor } = scope.caller;
  const isOwn = event?.actor.type === actor.type && event.actor.id === actor.id;
  if (!isOwn || Date.parse(event.time) < Date.now() - justNow) return undefined;
  const [before, after] = [limitsIn(event.before), limitsIn(event.after)];
  return sameJson(before, after) ? undefined : { before, after };
}

const keySideSchema = z.object({ limits: limitsSchema.optional() });

/** A person's limits are the event's value, a key's a member of it. */
function limitsIn(side: unknown): LimitEntry[] {
  const list = limitsSchema.safeParse(side);
  if (list.success) return list.data;
  return keySideSchema.safeParse(side).data?.limits ?? [];
}
