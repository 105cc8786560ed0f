/** Events in words, as pages show them. */
import type { WorkspaceEvent } from "../../workspace/contract/events.ts";
import {
  eventSentence,
  eventSeverity,
  type Severity,
} from "../../workspace/rules/event-sentence.ts";
import type { IconName } from "../shared/icons.tsx";
import { Icon } from "../shared/icons.tsx";
import type { HolderNames } from "../shared/page-context.ts";
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
