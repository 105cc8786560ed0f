/** What the runtime starts: the app, and the classes of its Durable Objects. */
import { makeAdmin, makePages } from "./back-office.ts";
import { createApp } from "./app.ts";
import { servicesOf } from "./bindings.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "./worker-objects.ts";

export default createApp({ servicesOf, admin: makeAdmin(), pages: makePages() });
