/** The shape of a client's set-up, with placeholders: address, key, tokens of the context. */

/** One thing to paste, or to type into settings. */
export type ClientStep =
  /** A file, code, settings to fill in, or a command that is the same in every shell. */
  | { readonly kind: "text"; readonly label: string; readonly text: string }
  /** Variables of the environment, and the command that is started with them. */
  | {
      readonly kind: "environment";
      readonly variables: readonly (readonly [name: string, value: string])[];
      /** Stands for more variables, which depend on the gateway. */
      readonly more?: "claudeCode";
      readonly command: string;
    }
  /** A command that Windows PowerShell spells differently. */
  | {
      readonly kind: "command";
      readonly label: string;
      readonly sh: string;
      readonly powershell: string;
    };

/** How one client is connected: `{origin}` is this gateway's address, `{key}` a key, `{window}` a number of tokens. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** Its page under `/docs/clients/`, with the heading where the page has several clients. */
  readonly guide: string;
  /** Its name for `gateway connect`, where that command can set it up. */
  readonly connect?: string;
  /** Files and commands, in order. */
  readonly steps: readonly ClientStep[];
}
