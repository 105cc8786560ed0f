/** The dashboard: its guard, its sign-in, and the routes of its pages. */
import { Hono, type MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { Problem, problemCodes } from "../core/problem.ts";
import type { Services } from "../gateway/services.ts";
import { modeOf } from "../store/env.ts";
import { policyOf } from "../policy/choose.ts";
import { callerIn } from "../admin/shared/caller.ts";
import { findAsset } from "./components/assets.ts";
import { field, formOf } from "./shared/forms.ts";
import { pageServices } from "./page-services.ts";
import { ownHostOnly, safeHeaders, sameOriginOnly } from "../sign-in/guard.ts";
import { mainMenu, registerPages } from "./navigation.ts";
import { deviceRoutes } from "./pages/device/device.tsx";
import { ErrorPage, SignInPage } from "./pages/sign-in/sign-in.tsx";
import type { Env } from "../store/env.ts";
import {
  holderNames,
  type PageApp,
  type PageContext,
  type PageVars,
  type Theme,
  type Viewer,
} from "./shared/page-context.ts";
import { type Session, sessionOf, signIn, signOut } from "./session.ts";

/** Mounted at the root: its paths are `/dashboard` and below. */
export function dashboardApp(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<PageVars>().basePath("/dashboard");
  app.onError((error, c) => {
    const problem = error instanceof Problem ? error : undefined;
    if (problem === undefined || problem.status >= 500)
      console.error("a page failed:", error instanceof Error ? error.stack : String(error));
    const status = problem?.status === 404 ? 404 : problem === undefined ? 500 : 400;
    return c.html(
      <ErrorPage status={status} message={problem?.message} theme={themeOf(c)} />,
      status,
    );
  });
  app.use("*", safeHeaders);
  app.use("*", ownHostOnly);
  app.get("/assets/:file", (c) => {
    const asset = findAsset(c.req.param("file"));
    if (asset === undefined) return c.text("Not found.", 404);
    c.header("Content-Type", asset.type);
    c.header("Cache-Control", "public, max-age=31536000, immutable");
    return c.body(asset.text);
  });
  app.use("*", sameOriginOnly);
  signInRoutes(app);
  deviceRoutes(app, { sessionOf, themeOf });
  app.get("/*", async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    return pathname.endsWith("/")
      ? c.redirect(pathname.replace(/\/+$/, "") + search, 308)
      : await next();
  });
  app.use("*", signedIn);
  registerPages(app, pageServices(servicesOf));
  app.all("*", () => {
    throw new Problem(problemCodes.unknownPath, "This page does not exist.");
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

function signInRoutes(app: PageApp): void {
  app.get("/sign-in", async (c) => {
    if ((await sessionOf(c, { active: true })) !== undefined) return c.redirect("/dashboard", 303);
    return c.html(<SignInPage theme={themeOf(c)} mode={modeOf(c.env)} />);
  });
  app.post("/sign-in", async (c) => {
    const outcome = await signIn(c, field(await formOf(c.req.raw), "token"));
    if (outcome.ok) return c.redirect("/dashboard", 303);
    if (outcome.reason === "wait") c.header("Retry-After", String(outcome.seconds));
    const status = outcome.reason === "wait" ? 429 : 401;
    const page = <SignInPage theme={themeOf(c)} mode={modeOf(c.env)} failure={outcome} />;
    return c.html(page, status);
  });
  app.post("/sign-out", async (c) => {
    await signOut(c);
    return c.redirect("/dashboard/sign-in", 303);
  });
  app.post("/theme", async (c) => {
    const form = await formOf(c.req.raw);
    const theme = field(form, "theme");
    setCookie(c, themeCookie, theme === "light" || theme === "dark" ? theme : "auto", {
      path: "/dashboard",
      sameSite: "Strict",
      httpOnly: true,
      maxAge: 31_536_000,
    });
    const back = field(form, "back");
    return c.redirect(/^\/dashboard(\/[\w/-]*)?$/.test(back) ? back : "/dashboard", 303);
  });
}

const themeCookie = "gateway_theme";

function themeOf(c: Parameters<typeof getCookie>[0]): Theme {
  const theme = getCookie(c, themeCookie);
  return theme === "light" || theme === "dark" ? theme : "auto";
}

/** Only with a session; API keys and admin tokens in headers mean nothing here. */
const signedIn: MiddlewareHandler<PageVars> = async (c, next) => {
  const part = c.req.header("X-Part");
  const active = part !== "numbers" && c.req.path !== "/dashboard/live";
  const session = await sessionOf(c, { active });
  if (session === undefined) {
    const reads = c.req.method === "GET" && part === undefined;
    return reads ? c.redirect("/dashboard/sign-in", 303) : c.text("Sign in again.", 401);
  }
  c.set("viewer", await viewerOf(c, session));
  return await next();
};

async function viewerOf(c: PageContext, { id, access }: Session): Promise<Viewer> {
  const { env } = c;
  const policy = policyOf(env);
  const words = holderNames(policy.holder);
  return {
    scope: { env, ...(await callerIn(env, access, undefined)) },
    access,
    session: id,
    words,
    menu: mainMenu(words),
    savesParams: policy.adaptsRelays,
    ownsResponses: policy.ownsResponses,
    mode: modeOf(env),
    theme: themeOf(c),
    path: c.req.path,
    done: c.req.query("done"),
  };
}
