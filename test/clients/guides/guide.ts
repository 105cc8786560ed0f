/** A guide whose commands are run as they stand, with the real program made to work without a terminal. */
import type { Wanted } from "../programs/install.ts";

export interface Guide {
  /** What `--only` calls it. */
  readonly id: string;
  readonly page: string;
  readonly programs: readonly GuideProgram[];
}

export interface GuideProgram extends Wanted {
  /** The folder under `.clients` where it is installed, which other tests may share. */
  readonly folder: string;
  /** Lines of sh, of which the last starts "$program" with "$@": what a person would have typed is put in. */
  readonly headless: string;
}
