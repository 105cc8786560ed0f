/** The program that runs a gateway: the package, or a clone of the project. */
import type { Edition, HostModules } from "./bundle.ts";

export interface Program {
  /** Puts the modules of a host into this folder. */
  modules(folder: string, edition: Edition): Promise<HostModules>;
  /** The file of settings for this state folder. */
  devVars(folder: string): string;
  /** How its user starts it, up to the options: `npx gateway start`. */
  readonly startWords: string;
  /** How its user connects clients to the gateway of this state folder, up to the client's name. */
  connectWords(folder: string): string;
}
