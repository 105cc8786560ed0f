/** Writes the request of a message as its endpoint takes it over HTTP: with the whole conversation in its input. */
import { invalid } from "../../../core/problem.ts";
import type {
  ConversationItems,
  CreateMessage,
  SocketRequest,
} from "../../../core/socket-format.ts";
import { joined } from "../../../lib/bytes.ts";
import { small } from "./read-message.ts";

/** Members of the message alone, and those that are written anew. */
const left: ReadonlySet<string> = new Set([
  "type",
  "generate",
  "stream_id",
  "stream",
  "previous_response_id",
  "input",
]);

const encoder = new TextEncoder();

/** Throws M300 for a response in the background: nobody could ask for it. */
export function writeMessageRequest(
  { members }: CreateMessage,
  before: ConversationItems | undefined,
): SocketRequest {
  const background = small(members, "background") ?? false;
  if (background !== false) throw invalid("background", "not possible over a WebSocket");
  const input = members.get("input");
  const said = input === undefined ? "" : itemsOf(input);
  // What is neither a text nor a list is refused by the endpoint, in its words.
  if (said === undefined || (input === undefined && before === undefined))
    return { body: encoder.encode(`{${othersOf(members, input)}}`), items: [] };
  const items = [before ?? noItems, encoder.encode(said)].filter(({ length }) => length > 0);
  const head = encoder.encode(`{${othersOf(members, undefined)},"input":[`);
  return { body: joined([head, ...withCommas(items), tail]), items };
}

const noItems: ConversationItems = new Uint8Array(0);
const comma = encoder.encode(",");
const tail = encoder.encode("]}");

/** The conversation with the items of its answer. */
export function joinItems(
  items: readonly ConversationItems[],
  answer: readonly string[],
): ConversationItems {
  const said = encoder.encode(answer.filter((list) => list !== "").join());
  return joined(withCommas([...items, said].filter(({ length }) => length > 0)));
}

function withCommas(lists: readonly ConversationItems[]): Uint8Array[] {
  return lists.flatMap((list, at) => (at === 0 ? [list] : [comma, list]));
}

function othersOf(members: ReadonlyMap<string, string>, input: string | undefined): string {
  let text = `"stream":true`;
  for (const [name, value] of members)
    if (!left.has(name)) text += `,${JSON.stringify(name)}:${value}`;
  return input === undefined ? text : `${text},"input":${input}`;
}

/** The items of an input as they stand in a list; undefined where it is no input. */
function itemsOf(input: string): string | undefined {
  if (input.startsWith("[")) return input.slice(1, -1).trim();
  if (input.startsWith('"')) return `{"type":"message","role":"user","content":${input}}`;
  return input === "null" ? "" : undefined;
}
