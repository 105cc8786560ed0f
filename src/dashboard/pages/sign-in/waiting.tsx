/** What somebody sees who signed in and belongs to no workspace. */
import { PlainPage } from "../../components/frame/plain-page.tsx";
import type { PageApp } from "../../shared/page-context.ts";

/** Registers the page. */
export function waitingRoutes(app: PageApp): void {
  app.get("/waiting", (c) => {
    const { access, theme, scope } = c.var.visitor;
    if (scope !== undefined) return c.redirect("/dashboard", 303);
    const email = access.kind === "person" ? access.person.email : "";
    return c.html(
      <PlainPage title="Waiting for an invitation" theme={theme}>
        <p>
          You are signed in as <strong class="anywhere">{email}</strong>, but do not belong to a
          workspace yet.
        </p>
        <p>Ask an owner of the workspace for an invitation link, and open it in this browser.</p>
        <div class="buttons">
          <a class="button" href="/dashboard">
            Check again
          </a>
          <form method="post" action="/auth/logout">
            <button type="submit">Sign out</button>
          </form>
        </div>
      </PlainPage>,
    );
  });
}
