/** A provider that says too much: its errors hold the whole request and the credential that came with it. */
import { replyScript } from "../../kit/asking.ts";
import type { Received, Script } from "../../kit/script.ts";
import { startUpstream, type Upstream } from "../../kit/upstream.ts";
import { redactedTexts, texts } from "./canaries.ts";

const said = {
  text: `${texts.answer} ${redactedTexts.secretInAnswer} ${redactedTexts.ownInAnswer} done`,
  calls: [{ id: "c1", name: "look", input: JSON.stringify({ place: texts.toolInput }) }],
};

/** The first part of its path says how it answers. */
export const manners = ["good", "refuses", "fails", "breaks", "cuts", "resets", "garbage"] as const;
type Manner = (typeof manners)[number];

/** Starts it. */
export function startLoudProvider(): Promise<Upstream> {
  return startUpstream({ respond });
}

function respond(received: Received): Script {
  const manner = manners.find((name) => received.path.startsWith(`/${name}/`)) ?? "good";
  const stream = received.text.includes('"stream":true');
  return { headers: { "x-echo": headersOf(received) }, ...scripts[manner](received, stream) };
}

const scripts: Readonly<Record<Manner, (received: Received, stream: boolean) => Script>> = {
  good: (_, stream) => replyScript("chat", said, { stream }),
  refuses: (received) => error(400, received),
  fails: (received) => error(500, received),
  breaks: (received, stream) => {
    const script = replyScript("chat", said, { stream });
    if (!Array.isArray(script.body)) return error(200, received);
    const event = `data: ${JSON.stringify(echo(received))}\n\n`;
    return { ...script, body: [...script.body.slice(0, 3), event] };
  },
  cuts: (_, stream) => ({ ...replyScript("chat", said, { stream }), limit: 400, end: "cut" }),
  resets: (_, stream) => ({ ...replyScript("chat", said, { stream }), limit: 400, end: "reset" }),
  garbage: (received) => ({
    status: 502,
    headers: { "content-type": "text/html" },
    body: received.text,
  }),
};

function error(status: number, received: Received): Script {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: JSON.stringify(echo(received)) };
}

function echo(received: Received) {
  const { authorization = "" } = received.headers;
  const message = `no: ${authorization} ${headersOf(received)} ${received.text}`;
  return { error: { message, type: "invalid_request_error", code: authorization.slice(0, 60) } };
}

function headersOf(received: Received): string {
  return String(received.headers["x-secret-token"]);
}
