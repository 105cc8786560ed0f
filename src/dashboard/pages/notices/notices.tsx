/** Notices: the events of the workspace in sentences, newest first. */
import { readConfig } from "../../../admin/routes/document/config.ts";
import { readEvents } from "../../../admin/routes/events/events.ts";
import { writeCursor } from "../../../admin/shared/cursor.ts";
import type { EventPage, WorkspaceEvent } from "../../../workspace/contract/events.ts";
import { Badge, Card, EmptyState, Timestamp } from "../../components/display.tsx";
import { EventLink, EventSentence, SeverityIcon } from "../../components/event-words.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { askedPage, OlderPages } from "../../components/older-pages.tsx";
import type { MenuItem, PageApp, PageContext, Viewer } from "../../shared/page-context.ts";
import { noticesPath, rememberSeen, seenNotice } from "./seen.ts";

interface NoticesProps {
  viewer: Viewer;
  page: EventPage;
  /** The newest that was shown before. */
  seen: number;
  timezone: string;
  /** Cursor of the page; undefined for the newest. */
  before: string | undefined;
}

/** Registers the page. */
export function noticeRoutes(app: PageApp): void {
  app.get("/notices", showNotices);
}

async function showNotices(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const { scope } = viewer;
  const query = askedPage(c);
  const [page, config] = await Promise.all([readEvents(scope, query), readConfig(scope)]);
  const seen = seenNotice(c, scope.workspace);
  const [first] = page.events;
  if (first !== undefined && first.seq > seen) rememberSeen(c, scope.workspace, first.seq);
  const menu = viewer.menu.map((item) => withoutNews(item));
  return c.html(
    <NoticesPage
      {...{ viewer: { ...viewer, menu }, page, seen }}
      timezone={config.timezone ?? "UTC"}
      before={query.before}
    />,
  );
}

/** What is on the page is new no more. */
function withoutNews(item: MenuItem): MenuItem {
  return item.path === noticesPath ? { ...item, news: 0 } : item;
}

function NoticesPage(props: NoticesProps) {
  const { viewer, page, timezone } = props;
  return (
    <Page viewer={viewer} title="Notices" lead={<Lead viewer={viewer} timezone={timezone} />}>
      <Card>
        {page.events.length === 0 ? (
          <EmptyState title="Nothing has happened yet.">
            <p>
              Reached limits and quotas, failing providers, expiring keys, unusual spending and
              failing storage appear here.
            </p>
          </EmptyState>
        ) : (
          <ul class="notices">
            {page.events.map((event) => (
              <Notice event={event} {...props} />
            ))}
          </ul>
        )}
        <OlderPages
          base={noticesPath}
          before={props.before}
          next={page.next === null ? undefined : writeCursor(page.next)}
          things="notices"
        />
      </Card>
    </Page>
  );
}

function Lead({ viewer, timezone }: Pick<NoticesProps, "viewer" | "timezone">) {
  return (
    <>
      What happened in this workspace, newest first. Times in {timezone}.{" "}
      {viewer.allows("GET", "/dashboard/webhooks") ? (
        <>
          <a href="/dashboard/webhooks">Webhooks</a> send these events to other services.
        </>
      ) : null}
    </>
  );
}

function Notice({ event, viewer, seen, timezone }: NoticesProps & { event: WorkspaceEvent }) {
  return (
    <li>
      <SeverityIcon event={event} />
      <div>
        <p>
          <EventSentence event={event} words={viewer.words} timezone={timezone} />
        </p>
        <p class="hint">
          <Timestamp iso={event.time} timezone={timezone} />
          {event.seq > seen ? (
            <>
              {" "}
              <Badge tone="accent">New</Badge>
            </>
          ) : null}{" "}
          <EventLink event={event} viewer={viewer} />
        </p>
      </div>
    </li>
  );
}
