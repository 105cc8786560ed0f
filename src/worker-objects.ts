/** The Durable Object classes, for the worker's entry to export. */
export { DirectoryObject } from "./workspace/accounts/directory-object.ts";
export { IpObject } from "./workspace/address/address-object.ts";
export { WorkspaceObject } from "./workspace/workspace-object.ts";
