/** Links between the pages of a list that begins with the newest, and the page that an address asks for. */
import { type EventPageQuery, eventPageSchema } from "../../admin/routes/events/events.ts";
import type { PageContext } from "../shared/page-context.ts";

interface OlderPagesProps {
  /** Address of the newest page. */
  base: string;
  /** Cursor of this page; undefined for the newest. */
  before: string | undefined;
  /** Cursor of the next one; undefined at the end. */
  next: string | undefined;
  /** What the list holds: `notices`. */
  things: string;
}

/** Links to the newest and to the next older page; nothing where all stands on one. */
export function OlderPages({ base, before, next, things }: OlderPagesProps) {
  if (next === undefined && before === undefined) return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {before === undefined ? <span></span> : <a href={base}>Newest</a>}
      {next === undefined ? (
        <span class="muted">{`No older ${things}.`}</span>
      ) : (
        <a href={`${base}?before=${encodeURIComponent(next)}`} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}

/** The page that is asked for; the newest where the address names none. */
export function askedPage(c: PageContext): EventPageQuery {
  const before = c.req.query("before") ?? "";
  const asked = eventPageSchema.safeParse(before === "" ? {} : { before });
  return asked.success ? asked.data : eventPageSchema.parse({});
}
