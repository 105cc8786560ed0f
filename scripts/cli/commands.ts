/** What `gateway` can do: names, options and help of every command. What they do is in files of their own. */

export interface CommandOption {
  readonly name: string;
  /** Word for its value in the help; none for a switch. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandDescription {
  readonly name: string;
  /** Words for what follows the name: `[client]`, `FILE`. */
  readonly takes?: string;
  readonly summary: string;
  readonly options: readonly CommandOption[];
  readonly notes?: readonly string[];
}

const state: CommandOption = {
  name: "state",
  value: "FOLDER",
  help: "folder for the gateway's data",
};
const url: CommandOption = {
  name: "url",
  value: "URL",
  help: "address of another gateway, without /v1",
};
const reach: readonly CommandOption[] = [url, state];
const backing: readonly CommandOption[] = [
  { ...url, help: "address of another gateway; its admin token is read from ADMIN_TOKEN" },
  state,
  { name: "workspace", value: "ID", help: "one workspace, not the whole deployment" },
  { name: "passphrase-file", value: "FILE", help: "a file whose first line is the passphrase" },
];
const passphraseNotes = [
  "The passphrase is read from GATEWAY_PASSPHRASE, from the file, or asked for.",
];
const asking: readonly CommandOption[] = [
  { name: "yes", help: "change files without asking" },
  { name: "dry-run", help: "show the changes without writing them" },
];

/** Every command, in the order of the help. */
export const commands: readonly CommandDescription[] = [
  {
    name: "start",
    summary: "start the gateway",
    options: [
      { name: "port", value: "N", help: "port to listen on (default 2099; 0 = any free port)" },
      { name: "host", value: "ADDRESS", help: "address to listen on (default 127.0.0.1)" },
      { ...state, help: "folder for all data" },
      { name: "import-env", help: "add the providers whose API keys are in the environment" },
      { name: "new-secrets", help: "create new secrets where the old ones are lost" },
      { name: "inspector", value: "N", help: "port of V8's inspector on 127.0.0.1, for profiles" },
    ],
    notes: [
      "Settings are read from the environment and from .dev.vars in the state folder.",
      "The state folder is --state, else GATEWAY_STATE, else .state here if it holds a state,",
      "else routing-gateway in XDG_STATE_HOME (~/.local/state).",
    ],
  },
  {
    name: "connect",
    takes: "[client]",
    summary: "configure a client; without a name, list the clients",
    options: [
      ...reach,
      { name: "key", value: "KEY", help: "use this key instead of creating one" },
      { name: "harness", value: "ID", help: "harness for the new key (default: the first)" },
      { name: "model", value: "MODEL", help: "model to request (default auto)" },
      { name: "no-test", help: "send no test request" },
      ...asking,
    ],
    notes: [
      "Exit codes: 0 done and tested, 1 nothing changed, 2 wrong usage, 3 written but the test failed.",
    ],
  },
  {
    name: "disconnect",
    takes: "<client>",
    summary: "undo connect and revoke its key",
    options: [...reach, { name: "keep-key", help: "don't revoke the key" }, ...asking],
  },
  {
    name: "doctor",
    summary: "check this machine, the gateway, its providers and clients",
    options: reach,
    notes: ["Exit codes: 0 all checks passed, 1 a check failed."],
  },
  {
    name: "backup",
    takes: "FILE",
    summary: "back up everything to one file, encrypted with a passphrase",
    options: [...backing, { name: "force", help: "overwrite FILE if it exists" }],
    notes: passphraseNotes,
  },
  {
    name: "restore",
    takes: "FILE",
    summary: "replace everything in the gateway by a backup",
    options: [
      ...backing,
      { name: "yes", help: "replace without asking" },
      { name: "check", help: "only check the file and show what it contains" },
    ],
    notes: passphraseNotes,
  },
  { name: "help", takes: "[command]", summary: "show help", options: [] },
];

/** The command of that name. */
export function commandNamed(name: string): CommandDescription | undefined {
  return commands.find((command) => command.name === name);
}
