/** What the runtime starts: the app, and the classes of its Durable Objects. */
import { makeAdmin, makePages } from "./admin.ts";
import { createApp } from "./app.ts";
import { servicesOf } from "./gateway/roof.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "./worker-objects.ts";

export default createApp({ servicesOf, admin: makeAdmin(), pages: makePages() });
