/** The limits that the viewer may see as gauges, nearest to full first, and how many requests were blocked today. */
import { listKeys } from "../../../admin/routes/document/keys.ts";
import {
  type BlockView,
  type LimitUse,
  listBlocks,
  listLimits,
} from "../../../admin/routes/usage/limits.ts";
import { usageReport } from "../../../admin/routes/usage/usage.ts";
import { ownOnly } from "../../../admin/shared/caller.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";
import type { Config } from "../../../store/config.ts";
import { calendarOf } from "../../../workspace/rules/sums/period.ts";
import { Card } from "../../components/display.tsx";
import { BlockedCount, LimitBadges, LimitGauge } from "../../components/limits.tsx";
import { pageOfLimit } from "../../shared/limit-address.ts";
import { limitKey } from "../../shared/limit-changes.ts";
import { limitWords } from "../../shared/limit-words.ts";
import type { Viewer } from "../../shared/page-context.ts";
import { peopleNames, type PeopleNames } from "../../shared/people-names.ts";
import { count } from "../../shared/readable-values.ts";

/** Gauges that are shown unless all are asked for. */
const mostShown = 5;

/** What the card shows. */
export interface OverviewLimits {
  /** Nearest to full first. */
  readonly limits: readonly LimitUse[];
  readonly blocks: readonly BlockView[];
  readonly people: PeopleNames;
  /** Requests that limits and windows blocked since the day began. */
  readonly blockedToday: number;
  /** When the day began, ISO 8601. */
  readonly today: string;
}

/** Reads them; of a member's, those that hold the member alone. */
export async function readOverviewLimits(viewer: Viewer, config: Config): Promise<OverviewLimits> {
  const { scope } = viewer;
  const { start } = calendarOf(config.timezone ?? "UTC").span("day", Date.now());
  const today = new Date(start).toISOString();
  const [all, blocks, people, usage] = await Promise.all([
    listLimits(scope),
    listBlocks(scope),
    peopleNames(viewer),
    usageReport(scope, { from: today, by: "day", group: "harness" }),
  ]);
  const limits = await shownTo(scope, all, config);
  return {
    limits: limits.toSorted((one, other) => fullness(other) - fullness(one)),
    blocks,
    people,
    blockedToday: usage.total.blocked,
    today,
  };
}

function fullness({ used, reserved, max }: LimitUse): number {
  return max === 0 ? Infinity : (used + reserved) / max;
}

async function shownTo(
  scope: AdminScope,
  limits: LimitUse[],
  { harnesses = [] }: Config,
): Promise<LimitUse[]> {
  const person = ownOnly(scope.caller);
  if (person === undefined) return limits;
  const lists = limits.some(({ node }) => node === "key")
    ? await Promise.all(harnesses.map(({ id }) => listKeys(scope, id)))
    : [];
  const keys = new Set(lists.flat().map(({ id }) => id));
  return limits.filter(({ node, id }) =>
    node === "person" ? id === person : node === "key" && keys.has(id),
  );
}

interface CardProps {
  viewer: Viewer;
  shown: OverviewLimits;
  /** Whether every limit is shown. */
  all: boolean;
}

/** The card; one line where nothing is limited. */
export function OverviewLimitsCard({ viewer, shown, all }: CardProps) {
  const { limits, blocks, people } = shown;
  const first = all ? limits : limits.slice(0, mostShown);
  return (
    <Card id="limits" title="Limits" actions={<BlockedToday shown={shown} />}>
      {limits.length === 0 ? (
        <NoLimit viewer={viewer} />
      ) : (
        <ul class="limits">
          {first.map((limit) => (
            <li>
              <div class="limit-head">
                <span>
                  <span class="anywhere">{ownerName(limit, viewer, people)}</span>:{" "}
                  <strong>{limitWords(limit)}</strong> <LimitBadges limit={limit} />{" "}
                  <BlockedCount limit={limit} blocks={blocks} />
                </span>
                <EditLink limit={limit} viewer={viewer} />
              </div>
              <LimitGauge limit={limit} />
            </li>
          ))}
        </ul>
      )}
      {first.length < limits.length ? (
        <p>
          <a href="/dashboard?limits=all#limits">{`All ${limits.length} limits`}</a>
        </p>
      ) : null}
    </Card>
  );
}

/** Only where something was blocked. */
function BlockedToday({ shown: { blockedToday, today } }: Pick<CardProps, "shown">) {
  if (blockedToday === 0) return null;
  const search = new URLSearchParams({ outcome: "blocked", from: today });
  return (
    <a
      href={`/dashboard/requests?${search.toString()}`}
    >{`${count(blockedToday)} blocked today`}</a>
  );
}

const workspaceLimits = "/dashboard/settings#limits";

function NoLimit({ viewer }: Pick<CardProps, "viewer">) {
  if (!viewer.allows("POST", "/dashboard/settings/limits"))
    return <p class="muted">No spending limit.</p>;
  return (
    <p class="muted">
      No spending limit. <a href={workspaceLimits}>Add a daily one.</a>
    </p>
  );
}

function EditLink({ limit, viewer }: { limit: LimitUse; viewer: Viewer }) {
  const page = pageOfLimit(limit);
  if (!viewer.allows("GET", page) || !viewer.allows("POST", postPath(limit, page))) return null;
  return (
    <a
      class="button small"
      href={`${page}?limit=${encodeURIComponent(limitKey(limit))}#limits`}
      aria-label={`Edit the limit of ${limitWords(limit)}`}
    >
      Edit
    </a>
  );
}

/** Where a change of the limit is sent. */
function postPath({ node }: LimitUse, page: string): string {
  return node === "harness" ? page : `${page}/limits`;
}

function ownerName({ node, id, name = "" }: LimitUse, { words }: Viewer, people: PeopleNames) {
  switch (node) {
    case "workspace":
      return "Workspace";
    case "harness":
      return `${words.Holder} ${name === "" ? id : name}`;
    case "key":
      return `Key ${name === "" ? id : name}`;
    case "person":
      return people.nameOf(id);
    default:
      return node satisfies never;
  }
}
