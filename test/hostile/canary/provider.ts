/** A provider that says too much: its errors hold the whole request and the credential that came with it. */
import { replyScript } from "../../kit/asking.ts";
import { whole, type Received, type Script } from "../../kit/script.ts";
import { startUpstream, type Upstream } from "../../kit/upstream.ts";
import { besideTexts, redactedTexts, texts } from "./canaries.ts";

const said = {
  text: `${texts.answer} ${redactedTexts.secretInAnswer} ${redactedTexts.ownInAnswer} done`,
  calls: [{ id: "c1", name: "look", input: JSON.stringify({ place: texts.toolInput }) }],
};

/** The first part of its path says how it answers. */
export const manners = ["good", "refuses", "fails", "breaks", "cuts", "resets", "garbage"] as const;
/** Those of what the gateway asks by itself: a model that wants a search, and who searches and judges, well or not. */
export const sideManners = ["wants", "wavers", "finds", "misses", "judges", "balks"] as const;
type Manner = (typeof manners)[number] | (typeof sideManners)[number];

/** Starts it. */
export function startLoudProvider(): Promise<Upstream> {
  return startUpstream({ respond });
}

function respond(received: Received): Script {
  const manner =
    [...manners, ...sideManners].find((name) => received.path.startsWith(`/${name}/`)) ?? "good";
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
  // With a search and a call of the client's own, which is judged.
  wants: (received, stream) =>
    received.text.includes(besideTexts.found) || received.text.includes("search failed")
      ? replyScript("chat", said, { stream })
      : replyScript("chat", { calls: [wanted] }, { stream }),
  wavers: (received, stream) =>
    received.text.includes(besideTexts.found)
      ? error(400, received)
      : replyScript("chat", { calls: [wanted] }, { stream }),
  finds: () => whole(findings),
  misses: (received) => error(400, received),
  judges: () => replyScript("chat", { text: verdict }, { stream: false }),
  balks: (received) => error(400, received),
  garbage: (received) => ({
    status: 502,
    headers: { "content-type": "text/html" },
    body: received.text,
  }),
};

const wanted = {
  id: "s1",
  name: "web_search",
  input: JSON.stringify({ query: `${besideTexts.query} ${redactedTexts.secretInPrompt}` }),
};

const verdict = JSON.stringify({ verdicts: [{ call: 1, decision: "allow" }] });

const findings = {
  id: "msg_s",
  type: "message",
  role: "assistant",
  model: "m",
  content: [
    {
      type: "web_search_tool_result",
      tool_use_id: "t",
      content: [
        {
          type: "web_search_result",
          url: `https://example.org/${besideTexts.found}`,
          title: besideTexts.found,
          encrypted_content: "abc",
        },
      ],
    },
    { type: "text", text: besideTexts.found },
  ],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 5, output_tokens: 5 },
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
