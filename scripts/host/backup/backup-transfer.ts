/** Brings a backup from a gateway to the disk, and back. However long it is, it is never in memory. */
import { createReadStream, createWriteStream } from "node:fs";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printable } from "../printable.ts";
import type { BackupGateway } from "./backup-gateway.ts";
import { ownerOnly } from "../state/private-files.ts";

/** What is meant, and with which passphrase. */
export interface Transfer {
  readonly gateway: BackupGateway;
  readonly workspace: string | undefined;
  readonly passphrase: string;
  /** Told how many bytes there are so far. */
  readonly progress: (bytes: number) => void;
}

/** Writes the gateway's backup to a file that is not there yet. Throws, in words for the user. */
export async function download(transfer: Transfer, file: string): Promise<void> {
  const sending = request(transfer, "/api/backup", { "content-type": "application/json" });
  const answer = answered(sending);
  sending.end(JSON.stringify({ passphrase: transfer.passphrase }));
  const response = await answer;
  if (response.statusCode !== 200) throw new Error(await refusalIn(response));
  await pipeline(
    response,
    counting(transfer.progress),
    createWriteStream(file, { flags: "wx", mode: ownerOnly.file, flush: true }),
  );
}

/** Sends the file; what the gateway says it did. Throws, in words for the user. */
export async function upload(transfer: Transfer, file: string): Promise<unknown> {
  const sending = request(transfer, "/api/restore", {
    "content-type": "application/octet-stream",
    "x-gateway-passphrase": `UTF-8''${encodeURIComponent(transfer.passphrase)}`,
  });
  const answer = answered(sending);
  // A refusal comes before the file is at its end, and ends the connection.
  const sent = pipeline(createReadStream(file), counting(transfer.progress), sending);
  sent.catch(() => undefined);
  const response = await answer;
  if (response.statusCode !== 200) throw new Error(await refusalIn(response));
  return JSON.parse(await textOf(response));
}

function request(
  { gateway: { base, token }, workspace }: Transfer,
  path: string,
  headers: Record<string, string>,
): http.ClientRequest {
  const url = new URL(base + path);
  const client = url.protocol === "https:" ? https : http;
  return client.request(url, {
    method: "POST",
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(workspace !== undefined && { "x-gateway-workspace": workspace }),
    },
  });
}

function answered(sending: http.ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sending.once("response", resolve);
    sending.once("error", (error) =>
      reject(new Error(`the gateway cannot be reached: ${error.message}`)),
    );
  });
}

async function refusalIn(response: IncomingMessage): Promise<string> {
  const text = await textOf(response);
  try {
    // The admin API's own envelope of errors.
    const { error } = JSON.parse(text) as { error: { message: string } };
    if (response.statusCode === 401)
      return "the gateway refused this admin token: set ADMIN_TOKEN to the current one";
    return printable(error.message);
  } catch {
    return `the gateway answered ${response.statusCode}: ${printable(text.slice(0, 300))}`;
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += String(part);
  return text;
}

function counting(progress: (bytes: number) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      progress(bytes);
      done(null, part);
    },
  });
}
