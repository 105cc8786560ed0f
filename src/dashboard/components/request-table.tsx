/** Requests as rows of a table; the live feed sends the same rows. */
import { isOperation } from "../../core/operation-name.ts";
import type { RequestRoleName } from "../../core/request-role.ts";
import type { BlockingNode } from "../../policy/refusal.ts";
import type { HolderNames, Viewer } from "../shared/page-context.ts";
import type { RequestView } from "../../admin/routes/requests/request-view.ts";
import { Badge, ModelName, Timestamp, type Tone } from "./display.tsx";
import { formatWords } from "../shared/format-words.ts";
import { signInOfKey } from "../../workspace/rules/sign-in-keys.ts";
import { foundText } from "../shared/found-text.ts";
import type { PeopleNames } from "../shared/people-names.ts";
import { limitPage } from "../shared/limit-address.ts";
import { count, dollars, milliseconds } from "../shared/readable-values.ts";

/** The columns of a table of requests. */
export const requestColumns = [
  "Time",
  { label: "Model", class: "" },
  { label: "Tier", class: "mid" },
  "Status",
  { label: "Tokens", class: "num mid" },
  { label: "Cost", class: "num" },
  { label: "TTFT", class: "num far" },
  { label: "Total", class: "num far" },
] as const;

/** What a request shows depends on who looks at it. */
export type RequestViewer = Pick<Viewer, "allows" | "words">;

interface RequestRowProps {
  request: RequestView;
  timezone: string;
  viewer: RequestViewer;
  /** Names of the persons of keys, where there are any. */
  people?: PeopleNames | undefined;
  /** The text that was searched for. */
  wanted?: string;
}

/** One request. */
export function RequestRow({ request, timezone, viewer, people, wanted = "" }: RequestRowProps) {
  const { id, usage } = request;
  return (
    <tr data-id={id}>
      <td class="nowrap">
        <a class="row-link" href={`/dashboard/requests/${encodeURIComponent(id)}`} data-drawer>
          <Timestamp iso={request.time} timezone={timezone} />
        </a>
        <span class="sub" title={holderText(request, people)}>
          {holderText(request, people)}
        </span>
      </td>
      <td>
        <AskedModel request={request} />
        {request.model === null || request.model === request.requested_model ? null : (
          <span class="sub">requested {request.requested_model}</span>
        )}
        <RequestPurpose request={request} />
        <TagChips tags={request.tags} most={tagsOfRow} />
        <FoundWords request={request} wanted={wanted} />
        <ErrorWords request={request} wanted={wanted} />
      </td>
      <td class="mid nowrap">
        {request.tier === null ? "–" : <Badge tone="accent">{request.tier}</Badge>}
      </td>
      <td class="nowrap">
        <RequestStatus request={request} />
        {request.blocked_by === undefined ? null : (
          // No link: whoever presses a row means to open it.
          <span class="sub">{limitOwner(request.blocked_by, viewer.words)}</span>
        )}
        {request.outcome === "fallback" ? <span class="sub">fallback</span> : null}
      </td>
      <td class="num mid">
        {usage === null ? "–" : `${count(usage.input_tokens)} → ${count(usage.output_tokens)}`}
      </td>
      <td class="num">
        <RequestCost request={request} />
      </td>
      <td class="num far">{milliseconds(request.first_byte_ms)}</td>
      <td class="num far">{milliseconds(request.total_ms)}</td>
    </tr>
  );
}

/** Whose request it was: its holder and its key, as far as either is known. */
function holderText(request: RequestView, people: PeopleNames | undefined): string {
  return [request.harness, keyText(request, people)].filter((part) => part !== "").join(" · ");
}

/** What a request's key is called: by its name, else by its last four characters, else by its id. */
export function keyText(request: RequestView, people?: PeopleNames): string {
  const { key, key_last4: last4, key_id: id, person } = request;
  const name = key ?? (last4 === undefined ? undefined : `key …${last4}`);
  if (person !== undefined && people !== undefined && isOfSignIn(request))
    return `${people.nameOf(person)}, ${name ?? "sign-in"}`;
  return name ?? (id === undefined ? "" : `key ${id}`);
}

/** Keys that come with a person's sign-in are all called the same. */
function isOfSignIn({ key_id: id = "" }: RequestView): boolean {
  return signInOfKey(id) !== undefined;
}

/** Where the searched text is in the request. */
function FoundWords({ request, wanted }: { request: RequestView; wanted: string }) {
  const found = foundText(request, wanted);
  if (found === undefined) return null;
  return (
    <span class="sub found">
      {`${found.where}: ${found.before}`}
      <mark>{found.match}</mark>
      {found.after}
    </span>
  );
}

/** Characters of an error that a row shows. */
const errorOfRow = 100;

/** The beginning of what went wrong, unless the row shows a part of it already; of a limit it names the limit instead. */
function ErrorWords({ request, wanted }: { request: RequestView; wanted: string }) {
  const { error, outcome } = request;
  if (error === null || outcome === "blocked") return null;
  if (foundText(request, wanted)?.where === "error") return null;
  const [begin = ""] = error.split("\n", 1);
  const isCut = begin.length > errorOfRow || begin.length < error.length;
  return (
    <span class="sub anywhere" dir="auto">
      {begin.slice(0, errorOfRow) + (isCut ? "…" : "")}
    </span>
  );
}

/** The model that answered, else the one that was asked for. */
function AskedModel({ request: { model, requested_model } }: { request: RequestView }) {
  const id = model ?? requested_model;
  return id === "" ? <span class="model muted">no model</span> : <ModelName id={id} />;
}

/** Which operation it asked for, or its role where that is not the main one. */
function RequestPurpose({ request: { format, role } }: { request: RequestView }) {
  const words = isOperation(format) ? formatWords[format] : role;
  if (words === undefined || words === mainRole) return null;
  return <span class="sub">{words}</span>;
}

const mainRole = "main" satisfies RequestRoleName;

/** Whose limit refused a request (`key limit`), with a link to it for those who may see it. */
export function BlockingLimit({ request, viewer }: Omit<RequestRowProps, "timezone">) {
  const { blocked_by: node } = request;
  if (node === undefined) return null;
  const label = limitOwner(node, viewer.words);
  // The client set it: no page has it.
  if (node === "session") return <>{label}</>;
  const { harness, key_id: key, person } = request;
  const page = limitPage(node, { harness, key, person });
  const href = node === "workspace" ? `${page}#limits` : page;
  return viewer.allows("GET", href) ? <a href={href}>{label}</a> : <>{label}</>;
}

function limitOwner(node: BlockingNode, words: HolderNames): string {
  if (node === "session") return "conversation budget";
  return `${node === "harness" ? words.holder : node} limit`;
}

/** What a request cost; a model without a known price costs nobody knows what. */
export function RequestCost({ request }: { request: Pick<RequestView, "cost" | "unpriced"> }) {
  if (request.unpriced === true) return <span class="muted nowrap">no price</span>;
  return <>{dollars(request.cost)}</>;
}

interface NewRowsProps {
  /** Number of the newest row; the live feed continues from it. */
  seq: number;
  /** The page with its newest rows. */
  newest: string;
  /** Filters of the list, as a query. */
  search?: string;
  /** Rows that the list shows at most while it is open. */
  most: number;
}

/** Where new rows of `live-rows` wait: the script counts them here until they are asked for. */
export function NewRowsBar({ seq, newest, search = "", most }: NewRowsProps) {
  return (
    <div
      class="new-rows"
      id="live"
      data-since={seq}
      data-search={search}
      data-rows="live-rows"
      data-most={most}
    >
      <span class="new-rows-place">
        <a class="button small" href={newest} data-newest>
          Newest
        </a>
        <button type="button" class="small primary" hidden>
          0 new
        </button>
      </span>
      <label data-follow hidden>
        <input type="checkbox" /> Show new requests immediately
      </label>
      <span class="hidden" role="status"></span>
    </div>
  );
}

/** Shown by the script while new rows arrive by themselves. */
export function LiveBadge() {
  return (
    <span class="live" data-live-mark hidden>
      <span class="dot" aria-hidden="true"></span> Live
    </span>
  );
}

/** Tags that a row shows; the others are on the request's page. */
const tagsOfRow = 2;

interface TagChipsProps {
  tags: RequestView["tags"] | undefined;
  /** How many are shown; all where it is missing. */
  most?: number;
}

/** Tags, each with a link to the requests that have it. */
export function TagChips({ tags = {}, most }: TagChipsProps) {
  const all = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  if (all.length === 0) return null;
  const texts = all.slice(0, most);
  const others = all.slice(texts.length);
  return (
    <ul class="chips tags" aria-label="Tags">
      {texts.map((text) => (
        <li>
          <a href={`/dashboard/requests?tag=${encodeURIComponent(text)}`} title={text}>
            {text}
          </a>
        </li>
      ))}
      {others.length === 0 ? null : (
        <li class="more" title={others.join(", ")}>
          +{others.length}
        </li>
      )}
    </ul>
  );
}

/** How a request ended, and how many attempts it took when there were several. */
export function RequestStatus({
  request,
}: {
  request: Pick<RequestView, "status" | "attempts" | "outcome">;
}) {
  const attempts = request.attempts.filter(({ side }) => side !== true);
  return (
    <span class="nowrap">
      <StatusBadge request={request} />
      {attempts.length > 1 ? <span class="sub">{attempts.length} attempts</span> : null}
    </span>
  );
}

/** The status; of a blocked request that word, because its status may be that of an answer. */
export function StatusBadge({ request }: { request: Pick<RequestView, "status" | "outcome"> }) {
  const { status, outcome } = request;
  if (outcome === "blocked") return <Badge tone="warn">blocked</Badge>;
  return <Badge tone={statusTone(status)}>{status}</Badge>;
}

/** The colour of a status: 429 and a client's own hang-up (499) are no errors of the gateway. */
function statusTone(status: number): Tone {
  if (status < 400) return "good";
  return status === 499 || status === 429 ? "warn" : "bad";
}
