/** Events in words: one sentence each, used by notices on the dashboard's pages and by messages in Slack and Discord. */
import type { EventType, WorkspaceEvent } from "../../contract/events.ts";

/** A piece of a sentence: our own words, or a name that users chose, which each place escapes and marks its own way. */
export type SentencePart = string | { readonly name: string };

/** The gateway's address, and its word for the holder of keys. */
export interface EventLinks {
  /** `https://gateway.example.com`; without it there are no links. */
  readonly origin?: string | undefined;
  /** `harness` unless set. */
  readonly holder?: "harness" | "agent" | undefined;
  /** Writes a time, epoch ms; `2026-01-02 00:00 UTC` unless set. */
  readonly showTime?: ((time: number) => string) | undefined;
}

/** How much an event matters: something is broken or refused; soon will be; is well again; was merely done. */
export type Severity = "bad" | "warn" | "good" | "info";

interface Words {
  readonly title: string;
  /** Of one event, where it differs. */
  readonly titleOf?: (facts: Facts) => string | undefined;
  readonly severity: Severity;
  readonly parts: (facts: Facts) => readonly SentencePart[];
  /** Path of the page concerned. */
  readonly page: (facts: Facts) => string;
}

/** Reads the data of an event. Missing or invalid members are left out of the sentence. */
class Facts {
  readonly #data: WorkspaceEvent["data"];
  readonly #showTime: (time: number) => string;
  readonly holder: "harness" | "agent";

  constructor(data: WorkspaceEvent["data"], { holder, showTime }: EventLinks = {}) {
    this.#data = data;
    this.#showTime = showTime ?? utcMinute;
    this.holder = holder ?? "harness";
  }

  text(name: string): string {
    const value = this.#data[name];
    return typeof value === "string" ? value : "";
  }

  number(name: string): number {
    const value = this.#data[name];
    return typeof value === "number" ? value : 0;
  }

  is(name: string): boolean {
    return this.#data[name] === true;
  }

  name(name: string): SentencePart {
    return { name: shortName(this.text(name)) };
  }

  /** `name`, or this where it is missing or empty, as of keys that were made without one. */
  nameOr(other: string): SentencePart {
    return this.name(this.text("name").trim() === "" ? other : "name");
  }

  /** `<lead> <time>`, like ` since 2026-01-02 00:00 UTC`; empty where the time is not known. */
  time(lead: string, name: string): string {
    const time = Date.parse(this.text(name));
    return Number.isFinite(time) ? `${lead} ${this.#showTime(time)}` : "";
  }
}

function utcMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const words: Readonly<Record<WorkspaceEvent["type"], Words>> = {
  "limit.near": {
    title: "Limit almost reached",
    severity: "warn",
    parts: (facts) => [
      ...ownerOf(facts),
      ` has used ${share(facts, "max")} of a limit: ${usedOfLimit(facts)}${facts.time(", resets", "resets_at")}.`,
    ],
    page: limitPage,
  },
  "limit.reached": {
    title: "Limit reached",
    severity: "bad",
    parts: (facts) => [
      ...ownerOf(facts),
      ` has reached a limit: ${usedOfLimit(facts)}. `,
      facts.text("action") === "block"
        ? refusedWords(facts)
        : `This limit only records, so requests continue${facts.time("; it resets", "resets_at")}.`,
    ],
    page: limitPage,
  },
  "quota.near": {
    title: "Quota almost reached",
    severity: "warn",
    parts: (facts) => [
      `The workspace has used ${share(facts, "monthly_requests")} of its monthly quota: ` +
        `${whole.format(facts.number("used"))} of ${whole.format(facts.number("monthly_requests"))} requests${facts.time(", resets", "resets_at")}.`,
    ],
    page: () => "/dashboard/settings",
  },
  "quota.reached": {
    title: "Quota reached",
    severity: "bad",
    parts: (facts) => [
      `The workspace has used its monthly quota of ${whole.format(facts.number("monthly_requests"))} requests. ` +
        `Further requests are refused${facts.time(" until", "resets_at")}.`,
    ],
    page: () => "/dashboard/settings",
  },
  "provider.down": {
    title: "Provider down",
    severity: "bad",
    titleOf: (facts) => (facts.is("others_answer") ? "Model down" : undefined),
    parts: (facts) => [
      ...(facts.is("others_answer")
        ? ["Model ", facts.name("model"), ` is down${facts.time(" since", "since")}`]
        : ["Provider ", facts.name("provider"), ` is down${facts.time(" since", "since")}`]),
      ...failuresOf(facts),
      ...(facts.is("others_answer")
        ? [" Other models of ", facts.name("provider"), " answer."]
        : []),
    ],
    page: providerPage,
  },
  "provider.up": {
    title: "Provider up again",
    severity: "good",
    titleOf: (facts) => (facts.is("others_answer") ? "Model up again" : undefined),
    parts: (facts) => [
      ...(facts.is("others_answer")
        ? ["Model ", facts.name("model")]
        : ["Provider ", facts.name("provider")]),
      ` is up again.${after(facts.time(" It was down since", "since"), ".")}`,
    ],
    page: providerPage,
  },
  "key.created": {
    title: "Key created",
    severity: "info",
    parts: (facts) => [...keyOf(facts), ` was created${facts.time("; it expires", "expires_at")}.`],
    page: keyPage,
  },
  "key.revoked": {
    title: "Key revoked",
    severity: "info",
    parts: (facts) => [...keyOf(facts), " was revoked. Requests with it are refused."],
    page: (facts) => `/dashboard/harnesses/${segment(facts, "harness")}`,
  },
  "key.expiring": {
    title: "Key expires soon",
    severity: "warn",
    parts: (facts) => [...keyOf(facts), ` expires${facts.time("", "expires_at")}.`],
    page: keyPage,
  },
  "spend.unusual": {
    title: "Unusual spending",
    severity: "warn",
    parts: (facts) => [
      `Unusual spending: ${money.format(facts.number("cost"))}${after(" on ", dayOf(facts))}, ` +
        `${money.format(facts.number("usual"))} on a usual day.`,
    ],
    page: () => "/dashboard",
  },
  test: {
    title: "Test",
    severity: "info",
    parts: () => ["This is a test: events of this workspace arrive here."],
    page: () => "/dashboard/webhooks",
  },
};

/** The event in one sentence, in pieces. */
export function eventSentence(
  { type, data }: WorkspaceEvent,
  links: EventLinks,
): readonly SentencePart[] {
  return words[type].parts(new Facts(data, links));
}

/** What kind of event it is, in two or three words: `Limit reached`. */
export function eventTitle(type: EventType | "test", data: WorkspaceEvent["data"] = {}): string {
  const { title, titleOf } = words[type];
  return titleOf?.(new Facts(data)) ?? title;
}

/** How much it matters. */
export function eventSeverity({ type }: WorkspaceEvent): Severity {
  return words[type].severity;
}

/** Path of the page that shows what the event is about, `/dashboard` included. */
export function eventPage({ type, data }: WorkspaceEvent): string {
  return words[type].page(new Facts(data));
}

/** What costs nothing passes a limit of cost, and what has no known price passes where nobody wants to know. */
function refusedWords(facts: Facts): string {
  const until = facts.time(" until", "resets_at");
  if (facts.text("metric") !== "cost") return `Its requests are refused${until}.`;
  return facts.is("strict")
    ? `Its requests are refused${until}, but for free models.`
    : `Its requests to models with a price are refused${until}. Free models still answer, and so do models without a known price if they are named.`;
}

const longestName = 100;
/** Line breaks, control characters, and those that turn the direction of writing for what follows. */
const unseen = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A name on one line, bounded; never empty. */
function shortName(text: string): string {
  const line = text
    .slice(0, 4 * longestName)
    .replace(unseen, " ")
    .trim();
  const points = [...line];
  if (points.length === 0) return "(no name)";
  return points.length <= longestName ? line : `${points.slice(0, longestName - 1).join("")}…`;
}

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const money = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 4,
  minimumFractionDigits: 2,
});

function share(facts: Facts, most: string): string {
  const max = facts.number(most);
  return max === 0 ? "all" : `${Math.floor((100 * facts.number("used")) / max)}%`;
}

function after(first: string, second: string): string {
  return first === "" || second === "" ? "" : first + second;
}

function dayOf(facts: Facts): string {
  return /^\d{4}-\d\d-\d\d/.exec(facts.text("day"))?.[0] ?? "";
}

/** `$4.02 of $5.00 per day`. */
function usedOfLimit(facts: Facts): string {
  const metric = facts.text("metric");
  const amount = (value: number) => (metric === "cost" ? money : whole).format(value);
  const unit = metric === "tokens" || metric === "requests" ? ` ${metric}` : "";
  const period = /^(hour|day|week|month)$/.exec(facts.text("period"))?.[0] ?? "period";
  return `${amount(facts.number("used"))} of ${amount(facts.number("max"))}${unit} per ${period}`;
}

function ownerOf(facts: Facts): readonly SentencePart[] {
  const kind = facts.text("node");
  switch (kind) {
    case "harness":
      return [facts.holder === "agent" ? "Agent " : "Harness ", facts.name("id")];
    case "key":
      // Without a name, or from an earlier version, only the id is known.
      return facts.text("name").trim() === "" ? ["Key ", facts.name("id")] : keyOf(facts);
    case "person":
      return ["Member ", facts.nameOr("id")];
    default:
      return ["The workspace"];
  }
}

function limitPage(facts: Facts): string {
  const id = segment(facts, "id");
  switch (facts.text("node")) {
    case "harness":
      return `/dashboard/harnesses/${id}/limits`;
    case "person":
      return `/dashboard/members/${id}`;
    case "key":
      return facts.text("harness") === ""
        ? "/dashboard/harnesses"
        : `/dashboard/harnesses/${segment(facts, "harness")}/keys/${id}`;
    default:
      return "/dashboard/settings#limits";
  }
}

function failuresOf(facts: Facts): readonly SentencePart[] {
  if (facts.text("model") === "") return ["."];
  const status = facts.number("status");
  const end = status === 0 ? " fail." : ` fail with status ${status}.`;
  return [": requests to ", facts.name("model"), end];
}

function providerPage(facts: Facts): string {
  return `/dashboard/providers/${segment(facts, "provider")}`;
}

function keyOf(facts: Facts): readonly SentencePart[] {
  const last = /^\w{1,8}$/.exec(facts.text("last4"))?.[0] ?? "";
  return [
    "Key ",
    facts.name("name"),
    `${after(" (…", after(last, ")"))} of ${facts.holder} `,
    facts.name("harness"),
  ];
}

function keyPage(facts: Facts): string {
  return `/dashboard/harnesses/${segment(facts, "harness")}/keys/${segment(facts, "key")}`;
}

function segment(facts: Facts, name: string): string {
  return encodeURIComponent(facts.text(name).toWellFormed());
}
