/** How the log is narrowed: outcomes as segments, a form, and what is asked for as chips that can be taken away. */
import type { Child } from "hono/jsx";
import type { Config } from "../../../store/config.ts";
import { Alert, Tabs } from "../../components/display.tsx";
import { Select, type SelectOption, TextField } from "../../components/fields.tsx";
import { type FeedbackAnswer, feedbackAnswers } from "../../../workspace/contract/feedback.ts";
import type { HolderNames } from "../../shared/page-context.ts";
import { feedbackWords } from "./feedback-form.tsx";
import {
  fieldTime,
  type FilterName,
  type Given,
  logAddress,
  logPage,
  type LogView,
  timeSpans,
  valueOf,
  withFilter,
} from "./log-address.ts";

interface FilterProps {
  view: LogView;
  config: Config;
  words: HolderNames;
}

/** Everything above the rows. */
export function RequestFilters({ view, config, words }: FilterProps) {
  const { given, ignored } = view;
  return (
    <>
      <OutcomeTabs given={given} />
      <FilterForm {...{ view, config, words }} />
      {ignored.length === 0 ? null : (
        <Alert kind="warn">
          Ignored filters with invalid values: {ignored.map(([name]) => name).join(", ")}.
        </Alert>
      )}
      <Chips given={given} words={words} timezone={config.timezone ?? "UTC"} />
    </>
  );
}

const outcomeLabels = [
  ["", "All"],
  ["ok", "OK"],
  ["fallback", "Fallback"],
  ["failed", "Failed"],
  ["blocked", "Blocked"],
  ["left", "Client left"],
] as const;

function OutcomeTabs({ given }: { given: readonly Given[] }) {
  const href = (value: string): string => logAddress(withFilter(given, "outcome", value));
  const tabs = outcomeLabels.map(([value, label]) => ({ href: href(value), label }));
  return <Tabs label="Outcome" tabs={tabs} current={href(valueOf(given, "outcome"))} />;
}

function FilterForm({ view: { given }, config, words }: FilterProps) {
  const value = (name: FilterName): string => valueOf(given, name);
  return (
    <form class="filters log-filters" method="get" action={logPage}>
      <Hidden given={given} />
      <TextField
        name="q"
        label="Search ids, keys, tags, models, errors and logged text"
        value={value("q")}
        type="search"
        placeholder="rate limit exceeded"
      />
      <Select name="span" label="Time" value={value("span")} options={spanOptions} />
      <Select
        name="harness"
        label={words.Holder}
        value={value("harness")}
        options={named(`All ${words.Holders.toLowerCase()}`, config.harnesses)}
      />
      <Select
        name="provider"
        label="Provider"
        value={value("provider")}
        options={named("All providers", config.providers)}
      />
      <TextField
        name="model"
        label="Model"
        value={value("model")}
        type="search"
        placeholder="provider/model"
      />
      <button type="submit">Filter</button>
      <details>
        <summary>More filters</summary>
        <div class="filters">
          <SeldomFields given={given} timezone={config.timezone ?? "UTC"} />
        </div>
      </details>
    </form>
  );
}

/** Filters that the form has no field for. */
const unshown: ReadonlySet<FilterName> = new Set(["outcome", "person", "blocked_by"]);

/** What the form has no field for, and what it has one for but not as often as it is given. */
function Hidden({ given }: { given: readonly Given[] }) {
  const [, ...tags] = given.filter(([name]) => name === "tag");
  const kept = [...given.filter(([name]) => unshown.has(name)), ...tags];
  return (
    <>
      {kept.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Closed, they are sent all the same; chips show which of them are in force. */
function SeldomFields({ given, timezone }: { given: readonly Given[]; timezone: string }) {
  const value = (name: FilterName): string => valueOf(given, name);
  return (
    <>
      <TextField name="key" label="Key" value={value("key")} placeholder="name or id" />
      <TextField name="tag" label="Tag" value={value("tag")} placeholder="team=red" />
      <TextField name="session" label="Session" value={value("session")} />
      <TextField name="agent" label="Agent" value={value("agent")} />
      <TextField name="role" label="Role" value={value("role")} placeholder="background" />
      <TextField name="status" label="Status" value={value("status")} placeholder="429 or 5xx" />
      <Select
        name="feedback"
        label="Feedback"
        value={value("feedback")}
        options={[
          { value: "", label: "Any" },
          ...feedbackAnswers.map((answer) => ({
            value: answer,
            label: feedbackWords[answer].label,
          })),
        ]}
      />
      <TextField
        name="from"
        label={`From (${timezone})`}
        value={fieldTime(value("from"), timezone)}
        type="datetime-local"
      />
      <TextField
        name="to"
        label={`To (${timezone})`}
        value={fieldTime(value("to"), timezone)}
        type="datetime-local"
      />
      <TextField
        name="min_cost"
        label="Cost from ($)"
        value={value("min_cost")}
        placeholder="0.05"
      />
      <TextField name="max_cost" label="Cost to ($)" value={value("max_cost")} placeholder="1" />
    </>
  );
}

const spanOptions: SelectOption[] = [
  { value: "", label: "Any time" },
  ...Object.entries(timeSpans).map(([value, { label }]) => ({ value, label })),
];

function named(
  all: string,
  entries: readonly { id: string; name?: string }[] = [],
): SelectOption[] {
  const options = entries.map(({ id, name }) => ({ value: id, label: name ?? id }));
  return [{ value: "", label: all }, ...options];
}

/** What is asked for, each with a link that takes it away. */
function Chips({ given, ...shared }: Omit<ChipProps, "given"> & { given: readonly Given[] }) {
  if (given.length === 0) return null;
  return (
    <ul class="chips filter-chips" aria-label="Active filters">
      {given.map((one) => (
        <li>
          <ChipText given={one} {...shared} />
          <a
            href={logAddress(given.filter((other) => other !== one))}
            aria-label={`Remove the filter ${one[0]}`}
          >
            ×
          </a>
        </li>
      ))}
      <li class="bare">
        <a href={logPage}>Clear all</a>
      </li>
    </ul>
  );
}

interface ChipProps {
  given: Given;
  words: HolderNames;
  timezone: string;
}

function ChipText({ given: [name, value], words, timezone }: ChipProps): Child {
  const shown = shownValue(name, value, timezone);
  return (
    <span class="anywhere">
      <span class="muted">{name === "harness" ? words.Holder : chipLabels[name]}</span> {shown}
    </span>
  );
}

function shownValue(name: FilterName, value: string, timezone: string): string {
  if (name === "span") return timeSpans[value as keyof typeof timeSpans].label.toLowerCase();
  if (name === "outcome") return value.replaceAll(",", ", ");
  if (name === "feedback") return feedbackWords[value as FeedbackAnswer].said;
  if (name === "from" || name === "to") return fieldTime(value, timezone).replace("T", " ");
  return name === "q" ? `“${value}”` : value;
}

const chipLabels: Readonly<Record<FilterName, string>> = {
  outcome: "Outcome",
  q: "Search",
  harness: "Harness",
  key: "Key",
  provider: "Provider",
  model: "Model",
  tag: "Tag",
  session: "Session",
  agent: "Agent",
  role: "Role",
  blocked_by: "Limit of",
  feedback: "Feedback",
  person: "Person",
  status: "Status",
  span: "Time",
  from: "From",
  to: "To",
  min_cost: "Cost from",
  max_cost: "Cost to",
};
