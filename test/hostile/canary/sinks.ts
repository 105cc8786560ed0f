/** Every place to which something of a request goes. A new sink is one more entry. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { pageRights } from "../../../src/dashboard/page-rights.ts";
import { parsed } from "../../kit/asking.ts";
import type { Host } from "../../smoke/host.ts";
import type { Collector } from "../../telemetry/collector.ts";
import { chosenSecrets } from "./canaries.ts";

/** What was heard, and by whom. */
export interface Piece {
  readonly where: string;
  readonly bytes: Buffer;
}

/** A gateway through which everything was sent, and what stands around it. */
export interface Stage {
  readonly host: Host;
  readonly state: string;
  readonly collector: Collector;
  /** Bodies and headers of what webhooks sent. */
  readonly received: readonly Piece[];
  readonly ownerToken: string;
  readonly viewerToken: string;
  /** Of a browser in which the owner is signed in. */
  readonly cookie: string;
  readonly workspace: string;
  readonly harness: string;
  readonly webhook: string;
  readonly keyId: string;
  /** Those that have rows. */
  readonly requests: readonly string[];
}

interface CanarySink {
  readonly name: string;
  /** Where a harness keeps or sends texts, they are here. */
  readonly holdsTexts?: (where: string) => boolean;
  /** Who reads it may see this of the secrets. */
  readonly shows?: readonly string[];
  readonly read: (stage: Stage) => Promise<readonly Piece[]> | readonly Piece[];
}

export const sinks: readonly CanarySink[] = [
  {
    name: "standard output and error",
    // The first start shows the operator the admin token, once.
    read: ({ host }) => [piece("output", host.output().replace(/^\s*Admin token .*$/m, ""))],
  },
  {
    name: "metrics",
    read: async ({ host }) => [
      await fetched(host, "/metrics", { authorization: `Bearer ${chosenSecrets.metricsToken}` }),
    ],
  },
  {
    name: "collector",
    holdsTexts: (where) => where === "/v1/traces",
    read: ({ collector }) =>
      collector.exports.map(({ path: where, body }) => ({ where, bytes: body })),
  },
  {
    name: "webhooks",
    read: ({ received }) => received,
  },
  {
    name: "admin API, to a viewer",
    holdsTexts: isRowText,
    read: (stage) => allOfApi(stage, stage.viewerToken),
  },
  {
    name: "admin API, to an owner",
    holdsTexts: isRowText,
    shows: ["webhookPath"],
    read: (stage) => allOfApi(stage, stage.ownerToken),
  },
  {
    name: "exports",
    holdsTexts: isRowText,
    shows: ["webhookPath"],
    read: async (stage) => {
      const accepted = ["text/csv", "application/x-ndjson"];
      const asked = exported.flatMap((where) => accepted.map((accept) => ({ where, accept })));
      return await inTurn(asked, ({ where, accept }) =>
        fetched(stage.host, where, { ...bearer(stage.ownerToken), accept }),
      );
    },
  },
  {
    name: "health",
    read: ({ host }) => inTurn(["/healthz", "/readyz"], (where) => fetched(host, where, {})),
  },
  {
    name: "pages of the dashboard, to an owner",
    shows: ["webhookPath"],
    holdsTexts: (where) => where.startsWith("/dashboard/requests/"),
    read: (stage) =>
      inTurn(pagesOf(stage), (where) => fetched(stage.host, where, { cookie: stage.cookie })),
  },
];

const exported = ["/api/requests", "/api/audit", "/api/usage"];

function isRowText(where: string): boolean {
  return where.startsWith("/api/requests") || where.endsWith("/export");
}

function piece(where: string, text: string): Piece {
  return { where, bytes: Buffer.from(text) };
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** One after another: a hundred at once are more connections than a busy machine takes. */
async function inTurn<Asked>(
  list: readonly Asked[],
  ask: (asked: Asked) => Promise<Piece>,
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const asked of list) pieces.push(await ask(asked));
  return pieces;
}

/** Throws where nothing is served: a sink that is gone is not one that is clean. */
async function fetched(host: Host, where: string, headers: Record<string, string>): Promise<Piece> {
  const ask = () => fetch(host.base + where, { headers, redirect: "manual" });
  // A connection that rested while pieces were searched may have been closed meanwhile.
  const answer = await ask().catch(ask);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${where}: ${answer.status} ${bytes.toString()}`);
  return { where, bytes };
}

/** Every question of the admin API that the description lists, for all that the stage has. */
async function allOfApi(stage: Stage, token: string): Promise<Piece[]> {
  const description = await fetched(stage.host, "/api/openapi.json", bearer(token));
  const { paths = {} } = parsed(description.bytes.toString()) as { paths?: Record<string, object> };
  const asked = Object.entries(paths)
    .filter(([, methods]) => "get" in methods)
    .flatMap(([where]) => filled(where, stage));
  const answers = await inTurn(asked, async (where): Promise<Piece> => {
    const answer = await fetch(stage.host.base + where, { headers: bearer(token) });
    return { where, bytes: Buffer.from(await answer.arrayBuffer()) };
  });
  return [description, ...answers];
}

function pagesOf(stage: Stage): string[] {
  return pageRights
    .filter(([method, , right]) => method === "GET" && (right === "read" || right === "read-own"))
    .filter(([, where]) => !notPlainPages.has(where))
    .flatMap(([, where]) => filled(`/dashboard${where === "/" ? "" : where}`, stage));
}

/** A stream without an end, what asks for more than its path, and a member's own. */
const notPlainPages: ReadonlySet<string> = new Set(["/live", "/account/leave", "/usage/export"]);

/** The path with its parameters filled in; none where the stage has no such thing. */
function filled(where: string, stage: Stage): string[] {
  const [, of = ""] = /^(?:\/api|\/dashboard)\/([a-z]+)\/[:{]/.exec(where) ?? [];
  const ids: Readonly<Record<string, readonly string[]>> = {
    "": [""],
    harnesses: [stage.harness],
    providers: ["good"],
    requests: stage.requests,
    webhooks: [stage.webhook],
    workspaces: [stage.workspace],
  };
  return (ids[of] ?? [])
    .map((id) => where.replace(/\{id\}|:id/, id).replace(/\{keyId\}|:key/, stage.keyId))
    .filter((asked) => !/[:{]/.test(asked));
}

/** All files of a state, unpacked where they are packed. */
export function stateFiles(folder: string): Piece[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
      return { where: path.relative(folder, file), bytes: isPacked ? gunzipSync(bytes) : bytes };
    });
}
