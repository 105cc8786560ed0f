/** What people's browsers ask for. Isolates load it when it is first asked for. */
import { dashboardApp } from "./dashboard/app.tsx";
import { docsApp } from "./dashboard/docs.ts";
import { writeSignInMessage } from "./dashboard/pages/sign-in/sign-in-message.tsx";
import { type BoundApp, rootApp, type ServicesOf } from "./root-app.ts";
import { signInApp } from "./sign-in/app.ts";

/** The dashboard, the documentation and the sign-in by the identity provider. */
export function pagesApp(servicesOf: ServicesOf): BoundApp {
  const app = rootApp(servicesOf);
  app.route("/", signInApp(writeSignInMessage));
  app.route("/", docsApp());
  app.route("/", dashboardApp(servicesOf));
  return app;
}
