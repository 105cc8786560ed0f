/** `docs/settings.md`, from the descriptions of the deployment's settings. */
import {
  type SettingDescription,
  settingGroups,
  type SettingGroup,
} from "../../src/store/setting-descriptions.ts";

const head = `# Deployment settings

These settings belong to the whole deployment; each workspace also has its own [document](configuration.md). Where to set them:

- **\`npm start\`, \`gateway start\`**: in the environment, or in \`.dev.vars\` as \`NAME=value\`, one per line. The environment takes
  precedence.
- **\`npm run dev\`**: in \`.dev.vars\`.
- **Cloudflare**: in \`wrangler.toml\`; secrets with \`npx wrangler secret put NAME\`.

An empty value means that the setting is not set. With an invalid value the gateway serves nothing, and the log names the setting.

The port, the address and the state folder are options of the command: \`npm start -- --help\`. \`npm start\` stores the secrets that
it creates in \`<state>/secrets.json\`. If providers use certificates from your own authority, set \`NODE_EXTRA_CA_CERTS\` in the
environment of \`npm start\`.

This page is generated from the source by \`npm run docs\`.
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
    ...(secret === true ? ["- This is a secret."] : []),
  ];
  return `### ${name}\n\n${what}\n\n${facts.join("\n")}\n`;
}
