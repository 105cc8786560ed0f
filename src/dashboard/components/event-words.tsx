/** Events in words, as pages show them. */
import type { WorkspaceEvent } from "../../workspace/contract/events.ts";
import {
  eventPage,
  eventSentence,
  eventSeverity,
  eventTitle,
  type Severity,
} from "../../workspace/rules/events/event-sentence.ts";
import type { IconName } from "../shared/icons.tsx";
import { Icon } from "../shared/icons.tsx";
import type { HolderNames, Viewer } from "../shared/page-context.ts";
import { dateTime } from "../shared/readable-values.ts";

interface EventSentenceProps {
  event: WorkspaceEvent;
  words: HolderNames;
  timezone: string;
}

/** The sentence of an event, with times in the workspace's time zone; names stand out. */
export function EventSentence({ event, words, timezone }: EventSentenceProps) {
  const showTime = (time: number): string => dateTime(time, timezone);
  return (
    <>
      {eventSentence(event, { holder: words.holder, showTime }).map((part) =>
        typeof part === "string" ? part : <strong class="anywhere">{part.name}</strong>,
      )}
    </>
  );
}

/** A link to the page concerned, for those who may see it. */
export function EventLink({ event, viewer }: { event: WorkspaceEvent; viewer: Viewer }) {
  const href = eventPage(event);
  if (!viewer.allows("GET", href)) return null;
  return (
    <a href={href} aria-label={`Show: ${eventTitle(event.type, event.data)}`}>
      Show
    </a>
  );
}

const looks: Readonly<Record<Severity, { icon: IconName; tone: string; label: string }>> = {
  bad: { icon: "warn", tone: "bad", label: "Problem" },
  warn: { icon: "warn", tone: "warn", label: "Warning" },
  good: { icon: "check", tone: "good", label: "Recovered" },
  info: { icon: "info", tone: "plain", label: "Information" },
};

/** How much the event matters, as a coloured icon, and in words for those who do not see it. */
export function SeverityIcon({ event }: { event: WorkspaceEvent }) {
  const { icon, tone, label } = looks[eventSeverity(event)];
  return (
    <span class={`severity ${tone}`}>
      <Icon name={icon} />
      <span class="hidden">{label}: </span>
    </span>
  );
}
