/** Which notices a browser has shown already, kept in a cookie: the newest number by workspace. */
import { getCookie, setCookie } from "hono/cookie";
import { readEventSeq } from "../../../admin/routes/events/events.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";
import type { PageContext } from "../../shared/page-context.ts";

/** The page of notices. */
export const noticesPath = "/dashboard/notices";

const cookie = "gateway_notices";
/** Workspaces that the cookie remembers, the last seen first: it is sent with every page. */
const mostWorkspaces = 8;

/** How many notices there are that this browser has not shown. */
export async function unreadNotices(c: PageContext, scope: AdminScope): Promise<number> {
  try {
    const newest = await readEventSeq(scope);
    const seen = seenNotice(c, scope.workspace);
    // A workspace that was made anew counts from 1 again.
    return seen > newest ? newest : newest - seen;
  } catch {
    // A page that needs nothing of the workspace, like one's own account, opens without it too.
    return 0;
  }
}

/** Number of the newest notice that this browser has shown; 0 where it has shown none. */
export function seenNotice(c: PageContext, workspace: string): number {
  return readSeen(c).get(workspace) ?? 0;
}

/** Remembers that all notices up to that one were shown. */
export function rememberSeen(c: PageContext, workspace: string, seq: number): void {
  const others = [...readSeen(c)].filter(([name]) => name !== workspace);
  const kept = [[workspace, seq] as const, ...others].slice(0, mostWorkspaces);
  setCookie(c, cookie, kept.map(([name, number]) => `${name}:${number}`).join("."), {
    path: "/dashboard",
    sameSite: "Strict",
    httpOnly: true,
    maxAge: 31_536_000,
  });
}

function readSeen(c: PageContext): ReadonlyMap<string, number> {
  const entries = (getCookie(c, cookie) ?? "").slice(0, 1000).split(".");
  return new Map(
    entries.flatMap((entry) => {
      const [, name, seq] = /^([\w-]{1,80}):(\d{1,15})$/.exec(entry) ?? [];
      return name === undefined ? [] : [[name, Number(seq)] as const];
    }),
  );
}
