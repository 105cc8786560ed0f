/** The dashboard: its guard, its sign-in, and the routes of its pages. */
import { Hono } from "hono";
import { Problem } from "../core/problem.ts";
import type { Services } from "../gateway/services.ts";
import { withoutEnd } from "../lib/trim-end.ts";
import { oidcOf } from "../store/oidc-settings.ts";
import { modeOf } from "../store/env.ts";
import { answerAsset } from "./components/frame/assets.ts";
import { field, formOf } from "./shared/forms.ts";
import { pageServices } from "./page-services.ts";
import { ownHostOnly, safeHeaders, sameOriginOnly } from "../sign-in/guard.ts";
import { registerPages } from "./navigation.ts";
import { deviceRoutes } from "./pages/device/device.tsx";
import { ErrorPage } from "./pages/sign-in/error-page.tsx";
import { SignInPage } from "./pages/sign-in/sign-in.tsx";
import type { Env } from "../store/env.ts";
import type { PageApp, PageContext, PageVars } from "./shared/page-context.ts";
import { sessionOf, signIn, signOut } from "./session.ts";
import { signedIn, unknownPage } from "./signed-in.ts";
import { themeOf, themeRoutes } from "./theme.ts";

/** Mounted at the root: its paths are `/dashboard` and below. */
export function dashboardApp(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<PageVars>().basePath("/dashboard");
  app.onError((error, c) => {
    const problem = error instanceof Problem ? error : undefined;
    if (problem === undefined || problem.status >= 500)
      console.error("a page failed:", error instanceof Error ? error.stack : String(error));
    const status = pageStatus(problem);
    return c.html(<ErrorPage status={status} problem={problem} theme={themeOf(c)} />, status);
  });
  app.use("*", safeHeaders);
  app.use("*", ownHostOnly);
  app.get("/assets/:file", async (c) => {
    const accepted = c.req.header("Accept-Encoding") ?? "";
    const answer = await answerAsset(c.env, c.req.param("file"), accepted);
    return answer ?? c.text("Not found.", 404);
  });
  app.use("*", sameOriginOnly);
  signInRoutes(app);
  themeRoutes(app);
  deviceRoutes(app, { sessionOf, themeOf });
  app.get("/*", async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    return pathname.endsWith("/")
      ? c.redirect(withoutEnd(pathname, "/") + search, 308)
      : await next();
  });
  app.use("*", signedIn);
  registerPages(app, pageServices(servicesOf));
  app.all("*", () => {
    throw unknownPage();
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

function pageStatus(problem: Problem | undefined): 400 | 403 | 404 | 500 {
  if (problem === undefined) return 500;
  return problem.status === 404 || problem.status === 403 ? problem.status : 400;
}

function signInPropsOf(c: PageContext) {
  return { theme: themeOf(c), mode: modeOf(c.env), issuer: oidcOf(c.env)?.issuer.host };
}

function signInRoutes(app: PageApp): void {
  app.get("/sign-in", async (c) => {
    if ((await sessionOf(c, { active: true })) !== undefined) return c.redirect("/dashboard", 303);
    return c.html(<SignInPage {...signInPropsOf(c)} />);
  });
  app.post("/sign-in", async (c) => {
    const outcome = await signIn(c, field(await formOf(c.req.raw), "token"));
    if (outcome.ok) return c.redirect("/dashboard", 303);
    if (outcome.reason === "wait") c.header("Retry-After", String(outcome.seconds));
    const status = outcome.reason === "wait" ? 429 : 401;
    const page = <SignInPage {...signInPropsOf(c)} failure={outcome} />;
    return c.html(page, status);
  });
  app.post("/sign-out", async (c) => {
    await signOut(c);
    return c.redirect("/dashboard/sign-in", 303);
  });
}
