/** `docs/settings.md`, from the descriptions of the deployment's settings. */
import {
  type SettingDescription,
  settingGroups,
  type SettingGroup,
} from "../../src/store/setting-descriptions.ts";

const head = `# Deployment settings

What whoever runs the gateway sets, beside the [document](configuration.md) of each workspace. With \`npm start\` and
\`npm run dev\` they stand in \`.dev.vars\` (\`NAME=value\`, a line each) or, for \`npm start\`, in the environment, which goes first.
On Cloudflare they stand in \`wrangler.toml\`, and secrets are set with \`npx wrangler secret put NAME\`. An empty setting is not
set. With a value that it cannot have nothing is served, and the log names it.

Port, address and state folder are options of the command: \`npm start -- --help\`. \`npm start\` keeps the secrets that it makes in
\`<state>/secrets.json\`. If providers use certificates of your own authorities, set \`NODE_EXTRA_CA_CERTS\` in the environment of
\`npm start\`.

This page is made from the source by \`npm run docs\`.
`;

/** The page as Markdown. */
export function settingsPage(): string {
  return [head, ...settingGroups.map(sectionOf)].join("\n");
}

function sectionOf({ title, settings }: SettingGroup): string {
  const entries = Object.entries(settings).map(([name, found]) => entryOf(name, found));
  return `## ${title}\n\n${entries.join("\n")}`;
}

/** A heading each, so that every setting has an address. */
function entryOf(
  name: string,
  { what, values, usual, example, secret }: SettingDescription,
): string {
  const facts = [
    `- Value: ${values}`,
    `- Default: ${usual === undefined ? "not set" : `\`${usual}\``}`,
    ...(example === undefined ? [] : [`- Example: \`${name}=${example}\``]),
    ...(secret === true ? ["- A secret"] : []),
  ];
  return `### ${name}\n\n${what}\n\n${facts.join("\n")}\n`;
}
