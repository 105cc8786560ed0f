/** What is wrong at this moment, at the top of the overview: notices while their condition holds. */
import { readEvents } from "../../../admin/routes/events/events.ts";
import { listLimits } from "../../../admin/routes/usage/limits.ts";
import { readWorkspaceStatus } from "../../../admin/routes/system.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";
import type { WorkspaceEvent } from "../../../workspace/contract/events.ts";
import { Alert } from "../../components/display.tsx";
import { EventLink, EventSentence } from "../../components/event-words.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { mayStand, standingEvents } from "./standing.ts";

/** Events that are looked at for what still holds. */
const looked = 200;

/** The newest notices whose condition holds now. */
export async function standingNotices(scope: AdminScope): Promise<WorkspaceEvent[]> {
  const { events } = await readEvents(scope, { limit: looked });
  if (!events.some(mayStand)) return [];
  const [limits, status] = await Promise.all([listLimits(scope), readWorkspaceStatus(scope)]);
  return standingEvents(events, {
    now: Date.now(),
    limits,
    quota: status.monthly_requests,
    down: status.down,
    downInPart: status.down_in_part,
  });
}

interface BannersProps {
  viewer: Viewer;
  events: readonly WorkspaceEvent[];
  timezone: string;
}

/** One banner each. */
export function Banners({ viewer, events, timezone }: BannersProps) {
  return (
    <>
      {events.map((event) => (
        <Alert kind="warn">
          <EventSentence event={event} words={viewer.words} timezone={timezone} />{" "}
          <EventLink event={event} viewer={viewer} />
        </Alert>
      ))}
    </>
  );
}
