/** Choosing which of one's workspaces the session shows. */
import { askDirectory } from "../../../admin/shared/credentials/access.ts";
import { forbidden } from "../../../admin/shared/errors.ts";
import { field, formOf } from "../../shared/forms.ts";
import type { PageApp } from "../../shared/page-context.ts";

/** Registers the switch of the menu. */
export function switchRoutes(app: PageApp): void {
  app.post("/workspace", async (c) => {
    const { session } = c.var.visitor;
    const workspace = field(await formOf(c.req.raw), "workspace");
    const chosen = await askDirectory(c.env, (directory) =>
      directory.chooseWorkspace(session, workspace),
    );
    if (!chosen) throw forbidden();
    return c.redirect("/dashboard", 303);
  });
}
