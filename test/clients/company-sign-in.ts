/**
 * `npm run test:sign-in`: Claude Code is signed in by its company's gateway, works, is refreshed, is told of its limits,
 * and is refused after its owner left. Needs root and mount namespaces, for the settings of a machine of its own
 * (signed-in-claude.ts): where they are missing it ends with 77, by which .ci/run tells "not run" from "passed".
 */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCompany } from "../kit/company.ts";
import { signInTo, visit } from "../kit/company-sign-in.ts";
import { stream, whole, type Received, type Script } from "../kit/script.ts";
import { startUpstream } from "../kit/upstream.ts";
import { messages } from "../kit/wire/messages.ts";
import { type Host, npmStart, scratch } from "../smoke/host.ts";
import { installClients } from "./cli.ts";
import { CompanyMachine, machinesPossible, type TokenAnswer } from "./signed-in-claude.ts";

const email = "dev@corp.test";
const said = { text: "All is well.", usage: { input: 100_000, cached: 0, output: 0 } };

if (!machinesPossible()) {
  console.log(
    "NOT RUN: the company's sign-in needs root and mount namespaces, which this machine does not give",
  );
  process.exit(77);
}
const space = scratch();
const bin = await installClients(path.resolve(".clients"));
const company = await startCompany({ accounts: [{ sub: "dev-1", email, name: "Dev" }] });
const upstream = await startUpstream({ respond: answerOf });
const gateway = await npmStart({
  state: path.join(space.folder, "state"),
  environment: { ...company.settings, SIGN_UP: "open" },
});
let failed = 0;
try {
  await story();
} finally {
  await gateway.stop();
  await upstream.close();
  await company.close();
  space.remove();
}
console.log(failed === 0 ? "the company's sign-in passed" : `${failed} checks FAILED`);
process.exit(failed === 0 ? 0 : 1);

function answerOf(request: Received): Script {
  const body = JSON.parse(request.text === "" ? "{}" : request.text) as { stream?: boolean };
  return body.stream === true
    ? stream(messages.events(said, "m"))
    : whole(messages.whole(said, "m"));
}

async function story(): Promise<void> {
  const { workspace, person, jar } = await personWithWorkspace();
  const machine = new CompanyMachine(path.join(space.folder, "machine"), {
    bin,
    gateway: gateway.base,
  });
  const before = await machine.run(["-p", "hello"]);
  check(
    "without a sign-in it says so",
    before.code === 1 && /not signed in/i.test(before.output),
    before,
  );

  const tokens = await signedIn(jar, workspace);
  check("the token answer names the person", tokens.email === email, tokens);
  machine.signIn(tokens);
  const worked = await machine.run(["-p", "hello"]);
  check("signed in it works", worked.code === 0 && worked.output.includes(said.text), worked);

  machine.signIn(tokens, 100);
  const renewed = await machine.run(["-p", "hello"]);
  const kept = machine.signedIn();
  check("a token that is about to end is refreshed", renewed.code === 0, renewed);
  check(
    "both tokens are new",
    kept?.access !== tokens.access_token && kept?.refresh !== tokens.refresh_token,
    kept,
  );

  await ofPerson(person, workspace, "0");
  const blocked = await machine.run(["-p", "hello"]);
  check(
    "a used-up limit is shown",
    blocked.code === 1 && /hard limit on cost/.test(blocked.output),
    blocked,
  );
  await ofPerson(person, workspace, "10000");

  const gone = await asRoot(workspace, `DELETE /api/members/${person}`);
  check("its owner leaves", gone.status === 204, await gone.text());
  const refused = await machine.run(["-p", "hello"]);
  check(
    "after that it is refused",
    refused.code === 1 && /no longer accepts|session expired|\/login/i.test(refused.output),
    refused,
  );
  machine.signIn({ ...tokens, refresh_token: kept?.refresh ?? "" }, 100);
  const late = await machine.run(["-p", "hello"]);
  check("a refresh is refused too", late.code === 1 && !late.output.includes(said.text), late);
}

function check(what: string, held: boolean, seen: unknown): void {
  console.log(`${held ? "passed" : "FAILED"}  ${what}`);
  if (held) return;
  failed += 1;
  console.log(`        ${JSON.stringify({ seen }).slice(0, 2000)}`);
}

/** Somebody who signed in by the company and got a workspace, which has a provider and a second owner. */
async function personWithWorkspace() {
  const jar = await signInTo(gateway, email);
  const found = await asRoot(undefined, "GET /api/workspaces");
  const { data } = (await found.json()) as { data: { id: string }[] };
  const workspace = data.map(({ id }) => id).find((id) => id !== "default") ?? "";
  const people = (await (await asRoot(workspace, "GET /api/members")).json()) as {
    data: { id: string }[];
  };
  const person = people.data[0]?.id ?? "";
  await withSecondOwner(workspace);
  const cost = { input: 1, output: 1 };
  await asRoot(workspace, "PUT /api/config", {
    providers: [
      {
        id: "lab",
        kind: "custom",
        format: "messages",
        base_url: `${upstream.url}/v1`,
        models: [{ id: "m", context_window: 200_000, max_output: 64_000, cost }],
      },
    ],
    harnesses: [
      { id: "team", name: "Team", aliases: { "claude-*": "lab/m" }, routing: { auto: false } },
    ],
  });
  return { workspace, person, jar };
}

/** The last owner of a workspace cannot leave it. */
async function withSecondOwner(workspace: string): Promise<void> {
  company.put({ sub: "owner-1", email: "owner@corp.test" });
  await signInTo(gateway, "owner@corp.test");
  const member = { email: "owner@corp.test", role: "owner" };
  const added = await asRoot(workspace, "POST /api/members", member);
  if (!added.ok) throw new Error(`no second owner: ${added.status} ${await added.text()}`);
}

/** What `/login` does, but for the dialog: the code, its confirmation in a browser, the tokens. */
async function signedIn(
  jar: Awaited<ReturnType<typeof signInTo>>,
  workspace: string,
): Promise<TokenAnswer> {
  const found = await fetch(`${gateway.base}/.well-known/oauth-authorization-server`);
  // The shapes are those that the program relies on.
  const endpoints = (await found.json()) as Record<string, string>;
  const start = await post(endpoints["device_authorization_endpoint"], { surface: "claude_code" });
  const waiting = (await start.json()) as Record<string, string>;
  const page = waiting["verification_uri_complete"] ?? "";
  const shown = await visit({ url: page, jar });
  if (!(await shown.text()).includes(waiting["user_code"] ?? "-"))
    throw new Error(`the page does not show the code: ${shown.status}`);
  const form = { code: waiting["user_code"] ?? "", workspace, verdict: "confirm" };
  const url = waiting["verification_uri"] ?? "";
  const done = await visit({ url, jar, form: new URLSearchParams(form) });
  if (!done.ok) throw new Error(`not confirmed: ${done.status} ${await done.text()}`);
  await done.arrayBuffer();
  const grant = "urn:ietf:params:oauth:grant-type:device_code";
  for (;;) {
    const code = waiting["device_code"] ?? "";
    const answer = await post(endpoints["token_endpoint"], {
      grant_type: grant,
      device_code: code,
    });
    if (answer.ok) return (await answer.json()) as TokenAnswer;
    const text = await answer.text();
    if (!/authorization_pending|slow_down/.test(text)) throw new Error(text);
    await sleep(5000);
  }
}

function post(url: string | undefined, form: Record<string, string>): Promise<Response> {
  const headers = { "user-agent": "claude-code/2.1.330" };
  return fetch(url ?? "", { method: "POST", body: new URLSearchParams(form), headers });
}

/** A limit of money for one person, in the words of Anthropic's admin API. */
async function ofPerson(person: string, workspace: string, amount: string): Promise<void> {
  const scope = { type: "user", user_id: person };
  const body = { scope, amount, period: "daily" };
  const set = await asRoot(workspace, "POST /v1/organizations/spend_limits", body);
  check(`a limit of ${amount} cents is set`, set.ok, await set.text());
}

function asRoot(workspace: string | undefined, call: string, body?: unknown): Promise<Response> {
  return ask(gateway, { workspace, call, body });
}

function ask(
  { base, adminToken }: Host,
  { workspace, call, body }: { workspace: string | undefined; call: string; body?: unknown },
): Promise<Response> {
  const [method = "", route = ""] = call.split(" ");
  return fetch(base + route, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      "content-type": "application/json",
      ...(workspace !== undefined && { "x-gateway-workspace": workspace }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
