/** The home and environment of the user who runs the command. */
import type { UserPlace } from "../clients/client.ts";
import { userHome } from "../state-folder.ts";

/** Where clients look for their files here. */
export function userPlace(): UserPlace {
  return { home: userHome(), environment: process.env, platform: process.platform };
}
