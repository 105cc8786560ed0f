/** What the runtime starts: the app over the deployment's bindings, and the classes of its Durable Objects. */
import { createApp } from "./app.ts";
import { servicesOf } from "./bindings.ts";

export { DirectoryObject, IpObject, WorkspaceObject } from "./worker-objects.ts";

export default createApp(servicesOf);
