/**
 * Every client that the dashboard knows, in the order of its list. The guides under docs/clients have the same texts, and
 * a test compares both.
 */
import type { Client } from "./client.ts";
import { chatApps, editors } from "./editors.ts";
import { libraries } from "./libraries.ts";
import { programs } from "./programs.ts";

const curl: Client = {
  id: "curl",
  name: "curl",
  guide: "curl",
  steps: [
    {
      kind: "command",
      label: "Request",
      sh: `curl {origin}/v1/chat/completions \\
  -H "Authorization: Bearer {key}" -H "Content-Type: application/json" \\
  -d '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}'`,
      powershell: `Invoke-RestMethod {origin}/v1/chat/completions -Method Post -ContentType "application/json" \`
  -Headers @{ Authorization = "Bearer {key}" } \`
  -Body '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}'`,
    },
  ],
};

/** Clients of one sort. */
interface ClientGroup {
  readonly name: string;
  readonly clients: readonly Client[];
}

/** Every client that the dashboard knows, with placeholders. */
export const clientGroups: readonly ClientGroup[] = [
  { name: "In a terminal", clients: [...programs, curl] },
  { name: "Editors and chats", clients: [...editors, ...chatApps] },
  { name: "SDKs and frameworks", clients: libraries },
];
