/** The colours that a browser chose, kept in a cookie so that the first paint is right already. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { field, formOf } from "./shared/forms.ts";
import type { PageApp, Theme } from "./shared/page-context.ts";

const cookie = "gateway_theme";

/** The browser's choice; `auto` without one. */
export function themeOf(c: Context): Theme {
  return asTheme(getCookie(c, cookie));
}

/** Registers the choice of a theme, for everybody. */
export function themeRoutes(app: PageApp): void {
  app.post("/theme", async (c) => {
    const form = await formOf(c.req.raw);
    // Its place before the documentation followed it too; browsers send the cookie of the longer path first.
    deleteCookie(c, cookie, { path: "/dashboard" });
    setCookie(c, cookie, asTheme(field(form, "theme")), {
      path: "/",
      sameSite: "Strict",
      httpOnly: true,
      maxAge: 31_536_000,
    });
    const back = field(form, "back");
    return c.redirect(/^\/dashboard(\/[\w/-]*)?$/.test(back) ? back : "/dashboard", 303);
  });
}

function asTheme(text: string | undefined): Theme {
  return text === "light" || text === "dark" ? text : "auto";
}
