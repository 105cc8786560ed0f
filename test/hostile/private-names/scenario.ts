/**
 * A gateway in cloud mode on a network of its own, in which 8.8.8.8 is this machine's public address. A provider's
 * name leads there while it is saved and first asked, then to a private address. Prints what callers got and how
 * many bytes arrived at the private listener. Run by the test beside it, inside `unshare --mount --net`:
 *   scenario.ts <folder> [<setting>=<value>…]
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { admin, connect, newKey, npmStart } from "../../smoke/host.ts";

const publicAddress = "8.8.8.8";
const privateAddress = "127.0.0.1";
const name = "models.example.com";
const port = 31_390;

const [folder = "", ...settings] = process.argv.slice(2);
const hosts = path.join(folder, "hosts");
const key = path.join(folder, "key.pem");
const certificate = path.join(folder, "certificate.pem");

/** From now on the name resolves to that address. */
function resolveTo(address: string): void {
  writeFileSync(hosts, `127.0.0.1 localhost\n${address} ${name}\n`);
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

function makeNetwork(): void {
  run("ip", "link", "set", "lo", "up");
  run("ip", "addr", "add", `${publicAddress}/32`, "dev", "lo");
  resolveTo(publicAddress);
  run("mount", "--bind", hosts, "/etc/hosts");
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const made = ["-keyout", key, "-out", certificate, "-days", "1"];
  run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", ...made, ...subject);
}

let redirectTo: string | undefined;

/** The provider at the public address: it answers, or sends its callers on. */
function publicServer(): Server {
  const options = { key: readFileSync(key), cert: readFileSync(certificate) };
  return createHttpsServer(options, (_request, answer) => {
    answer.setHeader("connection", "close");
    if (redirectTo !== undefined) {
      answer.writeHead(307, { location: redirectTo }).end();
      return;
    }
    answer.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: "hello" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    answer.end(JSON.stringify({ id: "1", object: "chat.completion", model: "m", choices }));
  });
}

let privateConnections = 0;

/** What no provider's name may lead to. */
function privateServer(): Server {
  return createServer((socket) => {
    privateConnections += 1;
    socket.on("error", () => undefined);
    socket.on("data", () => socket.destroy());
  });
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((resolve) => server.listen(port, address, () => resolve()));
}

async function main(): Promise<void> {
  makeNetwork();
  await listening(publicServer(), publicAddress);
  await listening(privateServer(), privateAddress);
  const given = settings.map((setting): [string, string] => {
    const [title = "", value = ""] = setting.split("=");
    return [title, value];
  });
  const host = await npmStart({
    state: path.join(folder, "state"),
    environment: {
      MODE: "cloud",
      NODE_EXTRA_CA_CERTS: certificate,
      ...Object.fromEntries(given),
    },
  });
  const models = [{ id: "m" }];
  const base_url = `https://${name}:${port}/v1`;
  await connect(host, { id: "p", kind: "custom", format: "chat", base_url, api_key: "k", models });
  const bearer = await newKey(host);
  const ask = async (): Promise<number> => {
    const answer = await fetch(`${host.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "p/m", messages: [{ role: "user", content: "hello" }] }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const test = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${host.adminToken}` };
    const answer = await fetch(`${host.base}/api/providers/p/test`, { method: "POST", headers });
    return ((await answer.json()) as { ok: boolean }).ok;
  };

  const events = ["limit.near"];
  const hook = { url: `https://${name}:${port}/hook`, events };
  const { id } = await admin<{ id: string }>(host, "POST /api/webhooks", hook);
  /** Status of what a test event was answered with; null where nothing was. */
  const tell = async (): Promise<number | null> =>
    (await admin<{ status: number | null }>(host, `POST /api/webhooks/${id}/test`)).status;

  const outcome: Record<string, unknown> = { asPublic: await ask(), toldAsPublic: await tell() };
  redirectTo = `https://${privateAddress}:${port}/v1/chat/completions`;
  outcome["redirected"] = await ask();
  outcome["toldRedirected"] = await tell();
  redirectTo = `http://localhost:${port}/v1/chat/completions`;
  outcome["redirectedByName"] = await ask();
  outcome["afterRedirects"] = privateConnections;
  redirectTo = undefined;
  resolveTo(privateAddress);
  outcome["asPrivate"] = await ask();
  outcome["toldAsPrivate"] = await tell();
  outcome["tested"] = await test();
  outcome["privateConnections"] = privateConnections;
  console.log(`outcome ${JSON.stringify(outcome)}`);
  await host.stop();
  process.exit(0);
}

await main();
