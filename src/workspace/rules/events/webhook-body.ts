/** The body that is sent for an event: as in Standard Webhooks, or as a message for Slack or Discord. */
import type { Webhook, WorkspaceEvent } from "../../contract/events.ts";
import {
  type EventLinks,
  eventPage,
  eventSentence,
  eventSeverity,
  eventTitle,
  type SentencePart,
} from "./event-sentence.ts";

/** The body of Standard Webhooks: https://www.standardwebhooks.com. */
interface StandardBody {
  readonly type: WorkspaceEvent["type"];
  /** ISO 8601 UTC. */
  readonly timestamp: string;
  readonly data: WorkspaceEvent["data"];
}

/** A message of an incoming webhook of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. */
interface SlackBody {
  /** What notifications show. */
  readonly text: string;
  readonly blocks: readonly object[];
}

/** A message of a webhook of Discord: https://docs.discord.com/developers/resources/webhook#execute-webhook. */
interface DiscordBody {
  readonly content: string;
  readonly embeds: readonly object[];
  /** A name that looks like a mention notifies nobody. */
  readonly allowed_mentions: { readonly parse: readonly [] };
}

/** The bodies by style, before they are written as JSON. */
export type WebhookBody = StandardBody | SlackBody | DiscordBody;

/** Writes the event in the style; `links` says where the gateway's pages are. */
export function webhookBody(
  event: WorkspaceEvent,
  style: Webhook["style"],
  links: EventLinks,
): WebhookBody {
  switch (style) {
    case "standard":
      return { type: event.type, timestamp: event.time, data: event.data };
    case "slack":
      return slackBody(event, links);
    case "discord":
      return discordBody(event, links);
    default:
      return style satisfies never;
  }
}

/** Names are bounded, so that a sentence stays far below Slack's 3,000 characters a section and Discord's 2,000. */
function slackBody(event: WorkspaceEvent, links: EventLinks): SlackBody {
  const text = sentence(event, links, slackCode);
  const page = pageAddress(event, links);
  const link = page === undefined ? "" : ` · <${page}|Open the gateway>`;
  const note = `${slackCode(workspaceOf(event))} · ${slackText(event.time)}${link}`;
  return {
    text,
    blocks: [
      { type: "section", text: { type: "mrkdwn", text } },
      { type: "context", elements: [{ type: "mrkdwn", text: note }] },
    ],
  };
}

/** Slack's control characters; nothing else calls a channel or makes a link. */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Code, because Slack has no escape for `*`, `_` and `~`, and reads none of them there. */
function slackCode(name: string): string {
  return `\`${slackText(name).replaceAll("`", "'")}\``;
}

/** By severity, as Discord counts colours. */
const colours = { bad: 0xd92d20, warn: 0xdc6803, good: 0x079455, info: 0x475467 } as const;

function discordBody(event: WorkspaceEvent, links: EventLinks): DiscordBody {
  const page = pageAddress(event, links);
  return {
    content: sentence(event, links, discordCode),
    embeds: [
      {
        title: eventTitle(event.type, event.data),
        description: `Workspace ${discordCode(workspaceOf(event))}`,
        ...(page !== undefined && { url: page }),
        color: colours[eventSeverity(event)],
        timestamp: event.time,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** Code, in which Discord reads no markdown, no mention and no address. */
function discordCode(name: string): string {
  return `\`${name.replaceAll("`", "'")}\``;
}

function sentence(
  event: WorkspaceEvent,
  links: EventLinks,
  code: (name: string) => string,
): string {
  const written = (part: SentencePart) => (typeof part === "string" ? part : code(part.name));
  return eventSentence(event, links).map(written).join("");
}

function pageAddress(event: WorkspaceEvent, { origin }: EventLinks): string | undefined {
  return origin === undefined ? undefined : origin + eventPage(event);
}

/** Its id, which users do not choose. */
function workspaceOf({ data: { workspace } }: WorkspaceEvent): string {
  return String(workspace);
}
