/** The home and environment of the user who runs the command. */
import os from "node:os";
import type { UserPlace } from "../clients/client.ts";

/** Where clients look for their files here. */
export function userPlace(): UserPlace {
  return { home: os.homedir(), environment: process.env, platform: process.platform };
}
