/**
 * The page where a person confirms that a program on their machine is theirs. It asks for the session by itself: a person
 * who belongs to no workspace gets here too, and is told so.
 */
import type { Context } from "hono";
import { askDirectory } from "../../../admin/shared/credentials/access.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import type { Session } from "../../../admin/shared/credentials/session.ts";
import { offersDeviceSignIn } from "../../../sign-in/device/base-address.ts";
import { countWrongCode, waitForCode } from "../../../sign-in/device/throttle.ts";
import { readUserCode } from "../../../sign-in/device/user-code.ts";
import { mayDo } from "../../../store/roles.ts";
import type {
  DeviceVerdict,
  OpenDeviceGrant,
} from "../../../workspace/accounts/tables/device-grants.ts";
import type { Membership, PersonScope } from "../../../workspace/accounts/tables/scope.ts";
import { field, formOf } from "../../shared/forms.ts";
import type { PageApp, PageContext, PageVars, Theme } from "../../shared/page-context.ts";
import { CodePage, ConfirmDevicePage, DeviceDonePage, NoPersonPage } from "./device-pages.tsx";

/** What the page asks of the dashboard's app. */
interface Browsers {
  /** The session of this browser while it holds. */
  sessionOf(c: PageContext, use: { active: boolean }): Promise<Session | undefined>;
  /** The colours that it chose. */
  themeOf(c: Context<PageVars>): Theme;
}

/** The page's routes; they come before the check of sessions that other pages have. */
export function deviceRoutes(app: PageApp, browsers: Browsers): void {
  app.get("/device", async (c) => {
    const visit = await visitOf(c, browsers);
    return visit instanceof Response ? visit : await showCode(c, visit);
  });
  app.post("/device", async (c) => {
    const visit = await visitOf(c, browsers);
    return visit instanceof Response ? visit : await judge(c, visit);
  });
}

/** Who looks at the page. */
interface Visit {
  readonly scope: PersonScope;
  readonly theme: Theme;
}

/** Whoever is not signed in is sent to do that, and comes back with the code. */
async function visitOf(
  c: PageContext,
  { sessionOf, themeOf }: Browsers,
): Promise<Visit | Response> {
  const theme = themeOf(c);
  if (!offersDeviceSignIn(c.env)) throw notFound("Programs can't sign in to this gateway.");
  const session = await sessionOf(c, { active: true });
  const { pathname } = new URL(c.req.url);
  const code = readUserCode(c.req.query("code") ?? "");
  const here = code === undefined ? pathname : `${pathname}?code=${code}`;
  const login = `/auth/login?return=${encodeURIComponent(here)}`;
  if (session === undefined) return c.redirect(login, 303);
  const { access } = session;
  if (access.kind !== "person") return c.html(<NoPersonPage theme={theme} login={login} />, 403);
  return { scope: access, theme };
}

async function showCode(c: PageContext, visit: Visit): Promise<Response> {
  const typed = c.req.query("code");
  if (typed === undefined) return c.html(<CodePage theme={visit.theme} />);
  const found = await findCode(c, typed, visit);
  if ("fault" in found) return refusal(c, visit, found);
  const workspaces = workspacesFor(visit.scope);
  const [first] = workspaces;
  const chosen = workspaces.find(({ workspace }) => workspace === visit.scope.chosen) ?? first;
  return c.html(
    <ConfirmDevicePage
      theme={visit.theme}
      email={visit.scope.person.email}
      device={found}
      workspaces={workspaces}
      chosen={chosen?.workspace}
    />,
  );
}

/** Where the person may have keys. */
function workspacesFor({ memberships }: PersonScope): Membership[] {
  return memberships.filter(({ role }) => mayDo(role, "write-own"));
}

interface CodeFault {
  readonly fault: string;
  /** Whole seconds, where it was one wrong code too many. */
  readonly wait?: number;
}

/** Nobody is asked for a code that can be none, nor by a person who sent too many wrong ones. */
async function findCode(
  c: PageContext,
  typed: string,
  { scope: { person } }: Visit,
): Promise<OpenDeviceGrant | CodeFault> {
  const wait = waitForCode(person.id, Date.now());
  if (wait > 0) return { fault: `Too many wrong codes. Try again in ${wait} s.`, wait };
  const code = readUserCode(typed);
  const found =
    code && (await askDirectory(c.env, (directory) => directory.findDevice(code, person.id)));
  if (typeof found === "object") return found;
  countWrongCode(person.id, Date.now());
  return {
    fault:
      "No program is waiting for this code. Check it, or start the sign-in again: codes expire after ten minutes.",
  };
}

function refusal(
  c: PageContext,
  { theme }: Visit,
  { fault, wait }: CodeFault,
): Response | Promise<Response> {
  if (wait !== undefined) c.header("Retry-After", String(wait));
  return c.html(<CodePage theme={theme} fault={fault} />, wait === undefined ? 404 : 429);
}

async function judge(c: PageContext, visit: Visit): Promise<Response> {
  const form = await formOf(c.req.raw);
  const found = await findCode(c, field(form, "code"), visit);
  if ("fault" in found) return refusal(c, visit, found);
  const verdict = verdictOf(form, found.code, visit.scope);
  const judged = await askDirectory(c.env, (directory) => directory.judgeDevice(verdict));
  if (!judged) return refusal(c, visit, { fault: "This code was already confirmed or denied." });
  return c.html(<DeviceDonePage theme={visit.theme} verdict={verdict.verdict} />);
}

/** Whatever is not clearly a confirmation for a workspace of theirs is a refusal. */
function verdictOf(form: URLSearchParams, code: string, scope: PersonScope): DeviceVerdict {
  const wanted = field(form, "workspace");
  const chosen = workspacesFor(scope).find(({ workspace }) => workspace === wanted);
  if (field(form, "verdict") !== "confirm" || chosen === undefined)
    return { code, verdict: "denied" };
  const { workspace } = chosen;
  return { code, verdict: "approved", person: scope.person.id, workspace };
}
