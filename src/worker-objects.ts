/** The Durable Object classes, for the worker's entry to export. */
export { DirectoryObject } from "./meter/directory.ts";
export { IpObject } from "./meter/ip.ts";
export { WorkspaceObject } from "./meter/workspace.ts";
