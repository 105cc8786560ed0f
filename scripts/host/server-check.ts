/**
 * Looks at servers for the worker: workerd tells it only that a call failed, Node knows why. Asked over loopback, with
 * the launcher's token; nothing is sent to the servers but the beginning of a TLS connection.
 */
import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { isPrivateHost } from "../../src/lib/private-host.ts";
import {
  serverQuestionSchema,
  type ServerFinding,
  type ServerQuestion,
} from "../../src/providers/connection/server-check.ts";

/** Starts to listen on a free port of loopback; its address, `127.0.0.1:PORT`. */
export async function serveChecks(token: string): Promise<string> {
  const server = createServer((request, response) => {
    answerTo(request, token)
      .catch(() => ({ status: 400, body: {} }))
      .then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body)))
      .catch((error: unknown) => console.error("a server check failed:", String(error)));
  });
  const port = await listening(server);
  // The launcher ends with its gateway, not with this.
  server.unref();
  return `127.0.0.1:${port}`;
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // A listening TCP server has such an address.
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const longestQuestion = 4096;

async function answerTo(
  request: IncomingMessage,
  token: string,
): Promise<{ status: number; body: object }> {
  if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: {} };
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > longestQuestion) return { status: 413, body: {} };
  }
  const question = serverQuestionSchema.parse(JSON.parse(text));
  if (looks >= mostLooks) return { status: 503, body: {} };
  looks += 1;
  try {
    return { status: 200, body: { finding: await lookAt(question) } };
  } finally {
    looks -= 1;
  }
}

/** Looks at once: each holds a connection of the process that keeps the gateway alive. */
const mostLooks = 16;
let looks = 0;

/** How long a connection, and then its handshake, may take, in milliseconds. */
const patience = 3000;

/** Why a call of that server fails, step by step: its name, its port, what is spoken there. */
export async function lookAt(question: ServerQuestion): Promise<ServerFinding> {
  const addresses = await addressesOf(question.host);
  const [first] = addresses;
  if (first === undefined) return "dns";
  // Nothing is told of a private network to whom it is closed.
  if (question.reach === "public" && addresses.some(isPrivateAddress)) return "private_address";
  const connected = await connect(first, question.port);
  if (typeof connected === "string") return connected;
  if (!question.secure) return await speaksTls(connected, question);
  return await handshake(connected, question);
}

async function addressesOf(host: string): Promise<string[]> {
  if (net.isIP(host) > 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

function isPrivateAddress(address: string): boolean {
  return isPrivateHost(net.isIPv6(address) ? new URL(`http://[${address}]`).hostname : address);
}

function connect(host: string, port: number): Promise<net.Socket | ServerFinding> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const give = (finding: ServerFinding): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(finding);
    };
    const timer = setTimeout(() => give("timeout"), patience);
    socket.once("connect", () => {
      clearTimeout(timer);
      resolve(socket.removeAllListeners());
    });
    socket.once("error", (error) => give(connectFinding(codeOf(error))));
  });
}

function connectFinding(code: string): ServerFinding {
  if (code === "ECONNREFUSED") return "refused";
  return code === "ETIMEDOUT" ? "timeout" : "unreachable";
}

/** What Node's TLS says of a certificate, by its codes. */
const certificateFindings: Readonly<Record<string, ServerFinding>> = {
  CERT_HAS_EXPIRED: "certificate_expired",
  CERT_NOT_YET_VALID: "certificate_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate_name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate_authority",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate_authority",
  UNABLE_TO_GET_ISSUER_CERT: "certificate_authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate_authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate_authority",
};

function handshake(socket: net.Socket, { host }: ServerQuestion): Promise<ServerFinding> {
  return new Promise((resolve) => {
    const secured = startTls(socket, { host, verified: true });
    const give = giver(secured, "timeout", resolve);
    secured.once("secureConnect", () => give("open"));
    secured.once("error", (error) => give(handshakeFinding(codeOf(error))));
  });
}

function handshakeFinding(code: string): ServerFinding {
  const certificate = certificateFindings[code];
  if (certificate !== undefined) return certificate;
  if (code.startsWith("CERT_") || code.includes("_CERT")) return "certificate";
  // OpenSSL read something that is no TLS.
  const plain = /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|UNKNOWN_PROTOCOL|EPROTO/;
  return plain.test(code) ? "http" : "open";
}

/** Whether the server that was called without TLS wants it. */
function speaksTls(socket: net.Socket, { host }: ServerQuestion): Promise<ServerFinding> {
  return new Promise((resolve) => {
    const secured = startTls(socket, { host, verified: false });
    const give = giver(secured, "open", resolve);
    secured.once("secureConnect", () => give("https"));
    secured.once("error", () => give("open"));
  });
}

/** Ends the handshake with a finding, in time: a server that sends a byte now and then is never idle. */
function giver(
  secured: tls.TLSSocket,
  late: ServerFinding,
  resolve: (finding: ServerFinding) => void,
): (finding: ServerFinding) => void {
  const give = (finding: ServerFinding): void => {
    clearTimeout(timer);
    secured.destroy();
    resolve(finding);
  };
  const timer = setTimeout(() => give(late), patience);
  return give;
}

function startTls(
  socket: net.Socket,
  { host, verified }: { host: string; verified: boolean },
): tls.TLSSocket {
  const named = net.isIP(host) === 0 && { servername: host };
  return tls.connect({ socket, host, ...named, rejectUnauthorized: verified });
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
