/** The simulated clients of the benchmark write requests in the shapes that were recorded of the real ones. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { AgentClient, Ran, WireRequest } from "../../scripts/sessions/clients/client.ts";
import { eventsOf } from "../../scripts/sessions/clients/client.ts";
import { claudeCode } from "../../scripts/sessions/clients/claude-code.ts";
import { codex } from "../../scripts/sessions/clients/codex.ts";
import { opencode } from "../../scripts/sessions/clients/opencode.ts";
import {
  chatEvents,
  messagesEvents,
  type WireAnswer,
} from "../../scripts/sessions/provider-answers.ts";
import { differences } from "../clients/shape/compare.ts";
import { type ClientShape, shapeOf } from "../clients/shape/shape.ts";

const billed = { uncached: 10, read: 20, written: 30, output: 40, usd: 0 };
const edit = { kind: "edit", path: "src/a.ts", before: "a", after: "b" } as const;
const ran: readonly Ran[] = [
  { action: edit, outcome: { kind: "text not found" } },
  { action: { kind: "run", command: "npm test" }, outcome: { kind: "failed command", text: "x" } },
  { action: { kind: "read", path: "src/a.ts" }, outcome: { kind: "fine", text: "y" } },
];

/** What a client sends in a conversation with calls that fail. */
function requestsOf(client: AgentClient, eventsFor: (answer: WireAnswer) => string): WireRequest[] {
  const conversation = client.open({ tag: "1", sessionId: "session 1", hints: false });
  conversation.ask("fix it", "plain");
  const first = conversation.request("auto");
  const calls = ran.map(({ action }) => client.tools(action, "1"));
  const answer = { model: "m", thinking: "hm", text: "I look.", calls, outputTokens: 40 };
  expect(conversation.read(eventsOf(eventsFor(answer)))).toBe(ran.length);
  conversation.results(ran);
  conversation.ask("still broken", "interrupting");
  return [first, conversation.request("auto")];
}

function responsesEvents({ calls }: WireAnswer): string {
  const output = calls.map(({ name, input }, at) => ({
    type: "function_call",
    call_id: `call_${at}`,
    name,
    arguments: JSON.stringify(input),
  }));
  return `data: ${JSON.stringify({ type: "response.completed", response: { output } })}\n\n`;
}

function recorded(client: string, way: string): ClientShape {
  const file = path.join(import.meta.dirname, "../clients/shapes", `${client}.json`);
  // Written by the recorder of shapes.
  const { ways } = JSON.parse(readFileSync(file, "utf8")) as { ways: Record<string, ClientShape> };
  return ways[way] ?? {};
}

const cases = [
  {
    name: "claude",
    way: "messages",
    client: claudeCode,
    eventsFor: (answer: WireAnswer) => messagesEvents(answer, billed),
  },
  { name: "codex", way: "responses", client: codex, eventsFor: responsesEvents },
  {
    name: "opencode",
    way: "chat",
    client: opencode,
    eventsFor: (answer: WireAnswer) => chatEvents(answer, billed),
  },
];

it.each(cases)("$name", ({ name, way, client, eventsFor }) => {
  const sent = requestsOf(client, eventsFor).map(({ path: place, headers, body }) => ({
    method: "POST",
    path: place,
    headers: { ...headers, "content-type": "application/json", authorization: "Bearer x" },
    text: JSON.stringify(body),
  }));
  const found = differences(recorded(name, way), shapeOf(sent, "auto"));
  expect(found.filter(({ kind }) => kind === "new").map(({ what }) => what)).toEqual([]);
});
