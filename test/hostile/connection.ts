/** Requests over connections of their own: nothing that came before decides how they end. */
import http from "node:http";
import { addressHeader } from "../smoke/gateway.ts";
import type { Host } from "../smoke/host.ts";

export interface Sending {
  path: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
  /** Client address, where the host believes the header. */
  address?: string;
}

export interface Heard {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The beginning of the answer. */
  text: string;
  /** Bytes of the whole. */
  length: number;
}

const longestText = 10_000;

/** One POST of JSON. What is long in the answer is read and forgotten. */
export function post(host: Host, sending: Sending): Promise<Heard> {
  const { path, headers, body, address } = sending;
  return new Promise((resolve, reject) => {
    const request = http.request(host.base + path, {
      method: "POST",
      agent: false,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...(address !== undefined && { [addressHeader]: address }),
        ...headers,
      },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      let length = 0;
      response.on("data", (part: Buffer) => {
        length += part.length;
        if (text.length < longestText) text += part.toString();
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, length }),
      );
    });
    request.end(body);
  });
}
