/** One request in detail: its attempts, why that model was chosen, usage and cost. */
import type { Child } from "hono/jsx";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import { Badge, Card, CopyBlock, ModelName, Table, Timestamp } from "../../components/display.tsx";
import { exactCount, milliseconds } from "../../shared/readable-values.ts";
import {
  BlockingLimit,
  keyText,
  RequestCost,
  type RequestViewer,
  StatusBadge,
  TagChips,
} from "../../components/request-table.tsx";
import { formatWords } from "../../shared/format-words.ts";
import { type FilterName, logAddress } from "./log-address.ts";
import { Replay } from "./replay.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import { RoutingExplanation } from "../../components/routing-explanation.tsx";

interface DetailProps {
  request: RequestView;
  timezone: string;
  viewer: RequestViewer;
  /** Whether its harness learns from what people say; missing: it does not. */
  learning?: boolean;
  /** What was done just before. */
  notice?: Child;
}

/** The cards of one request, for its page and for the drawer. */
export function RequestDetail(props: DetailProps) {
  const { request, timezone, viewer, learning = false, notice } = props;
  return (
    <article class="detail">
      <Facts {...{ request, timezone, viewer }} />
      {request.error === null ? null : (
        <div class="alert bad">
          <strong>Error</strong>
          <p class="anywhere">{request.error}</p>
        </div>
      )}
      <RoutingExplanation why={request.why} reason={request.reason} routing={request.routing}>
        <FeedbackForm {...{ request, viewer, learning }} />
        {notice}
      </RoutingExplanation>
      <Timeline request={request} />
      <Usage request={request} />
      <Dropped fields={request.dropped} />
      <ResponseHeaders {...{ request, viewer }} />
      <Texts {...{ request, viewer }} />
      <Replay {...{ request, viewer }} />
    </article>
  );
}

function Facts({ request, timezone, viewer }: Omit<DetailProps, "learning" | "notice">) {
  const facts: [string, Child][] = [
    ["Outcome", request.outcome],
    ["Status", <StatusBadge request={request} />],
    ["Time", <Timestamp iso={request.time} timezone={timezone} full />],
    [
      viewer.words.Holder,
      <a href={`/dashboard/harnesses/${encodeURIComponent(request.harness)}`}>{request.harness}</a>,
    ],
    ...identityFacts(request),
    ["Requested model", <span class="model">{request.requested_model}</span>],
    ["Answered by", request.model === null ? "no model" : <ModelName id={request.model} />],
    ["Tier", request.tier ?? "–"],
    ["Format", formatWords[request.format] + (request.stream ? ", streamed" : "")],
    ["Time to first token", milliseconds(request.first_byte_ms)],
    ["Total", milliseconds(request.total_ms)],
    ["Cost", <RequestCost request={request} />],
  ];
  if (request.blocked_by !== undefined)
    facts.splice(2, 0, ["Blocked by", <BlockingLimit {...{ request, viewer }} />]);
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whose request it was, and what its client called it; each leads to all requests that have the same. */
function identityFacts(request: RequestView): [string, Child][] {
  const { key_id, session, agent, parent_agent: parent, prompt, role, tags } = request;
  return [
    ...alikeFact(["Key", key_id === undefined ? undefined : keyText(request)], ["key", key_id]),
    ...alikeFact(["Session", session], ["session", session]),
    ...alikeFact(["Agent", agent], ["agent", agent]),
    ...(parent === undefined ? [] : [["Delegated by", parent] satisfies [string, Child]]),
    ...(prompt === undefined ? [] : [["Prompt", prompt] satisfies [string, Child]]),
    ...alikeFact(["Role", role], ["role", role]),
    ...(tags === undefined ? [] : [["Tags", <TagChips tags={tags} />] satisfies [string, Child]]),
  ];
}

function alikeFact(
  [label, shown]: readonly [label: string, shown: string | undefined],
  [name, value]: readonly [name: FilterName, value: string | undefined],
): [string, Child][] {
  if (value === undefined) return [];
  const title = `All requests of this ${label.toLowerCase()}`;
  return [
    [
      label,
      <a class="anywhere" href={logAddress([[name, value]])} title={title}>
        {shown}
      </a>,
    ],
  ];
}

/** Attempts as SVG bars: the content policy forbids inline styles, but allows the attributes of a bar. */
function Timeline({ request }: { request: RequestView }) {
  const { attempts } = request;
  if (attempts.length === 0)
    return (
      <Card title="Attempts">
        <p class="muted">No provider was called.</p>
      </Card>
    );
  const all = Math.max(
    1,
    request.total_ms,
    attempts.reduce((sum, { ms }) => sum + ms, 0),
  );
  let begun = Math.max(0, all - attempts.reduce((sum, { ms }) => sum + ms, 0));
  return (
    <Card title="Attempts">
      <ol class="timeline">
        {attempts.map((attempt) => {
          const from = (100 * begun) / all;
          begun += attempt.ms;
          const width = Math.max(0.8, (100 * attempt.ms) / all);
          const tone =
            attempt.outcome === "ok" ? "good" : attempt.outcome === "failed" ? "bad" : "warn";
          return (
            <li>
              <div class="timeline-head">
                <span>
                  <ModelName id={attempt.model} />
                  {attempt.side === true ? <span class="sub">extra call</span> : null}
                </span>
                <span class="nowrap">
                  <Badge tone={tone}>{attempt.status}</Badge> {milliseconds(attempt.ms)}
                </span>
              </div>
              <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect class="track" x="0" y="0" width="100" height="4" />
                <rect class={tone} x={Math.min(from, 99.2)} y="0" width={width} height="4" />
              </svg>
              {attempt.error === undefined ? null : <p class="fault anywhere">{attempt.error}</p>}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function Usage({ request }: { request: RequestView }) {
  const { usage } = request;
  if (usage === null) return null;
  const rows: [string, number][] = [
    ["Input", usage.input_tokens],
    ["of which cached", usage.cached_tokens],
    ["of which written to cache", usage.cache_write_tokens],
    ["Output", usage.output_tokens],
    ["of which reasoning", usage.reasoning_tokens],
  ];
  return (
    <Card title="Usage and cost">
      <Table caption="Tokens of this request" head={["Tokens", { label: "Count", class: "num" }]}>
        {rows.map(([name, value]) => (
          <tr>
            <td>{name}</td>
            <td class="num">{exactCount(value)}</td>
          </tr>
        ))}
        <tr>
          <td>
            <strong>Cost</strong>
          </td>
          <td class="num">
            <strong>
              <RequestCost request={request} />
            </strong>
          </td>
        </tr>
      </Table>
      {usage.estimated ? (
        <p class="hint">
          The provider did not report all usage. Some of these numbers are estimates.
        </p>
      ) : null}
      {request.cost === null || request.unpriced === true ? (
        <p class="hint">
          This model has no known price. Set one in the provider's models to see the cost.
        </p>
      ) : null}
    </Card>
  );
}

function Dropped({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <Card title="Dropped fields" lead="The provider's format doesn't support these.">
      <ul class="chips">
        {fields.map((name) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ResponseHeaders({ request, viewer }: Pick<DetailProps, "request" | "viewer">) {
  // In variant A alone.
  const role = viewer.words.holder === "harness" ? request.routing?.role : undefined;
  const headers: [string, string | null][] = [
    ["X-Gateway-Request-Id", request.id],
    ["X-Gateway-Tier", request.tier],
    ["X-Gateway-Model", request.model],
    // Of a request that nobody answered, the row names who was to answer; its response did not.
    ["X-Gateway-Provider", request.tier === null ? null : request.provider],
    ["X-Gateway-Reason", request.reason],
    ["X-Gateway-Role", request.tier === null ? null : (role ?? null)],
    ["X-Gateway-Confidence", request.confidence === null ? null : String(request.confidence)],
  ];
  const text = headers.flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`));
  return (
    <Card title="Response headers">
      <CopyBlock text={text.join("\n")} label="Response headers" />
    </Card>
  );
}

function Texts({ request, viewer }: Pick<DetailProps, "request" | "viewer">) {
  if (request.text === undefined) return null;
  return (
    <Card title="Text" lead={`Kept because text logging is on for this ${viewer.words.holder}.`}>
      <details>
        <summary>Request</summary>
        <CopyBlock text={request.text.request} label="Request text" />
      </details>
      {request.text.answer === "" ? (
        <p class="hint">No text was returned.</p>
      ) : (
        <details>
          <summary>Response</summary>
          <CopyBlock text={request.text.answer} label="Response text" />
        </details>
      )}
    </Card>
  );
}
