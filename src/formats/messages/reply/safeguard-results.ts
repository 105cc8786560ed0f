/** Verdicts on tool uses as Messages clients read them: in a whole answer, in a stream's last delta, and in relayed ones. */
import type { SafeguardResult, SafeguardVerdict } from "../../../core/events.ts";
import type { SafeguardWriter } from "../../../core/format.ts";
import { isObject, parseJson, type JsonObject } from "../../../lib/json.ts";

const member = "safeguard_results";

/** The member that carries them; none where nothing was asked. `ids`: the calls' ids as the client has them, in order. */
export function writeSafeguards(
  results: readonly SafeguardResult[] | undefined,
  ids: readonly string[],
): JsonObject {
  if (results === undefined) return {};
  return { [member]: results.map((result) => writeResult(result, ({ call }) => ids[call])) };
}

type IdOf = (verdict: SafeguardVerdict) => string | undefined;

function writeResult(result: SafeguardResult, idOf: IdOf): JsonObject {
  const { type } = result;
  if (result.status === "unsupported") return { type, status: { type: "unsupported" } };
  const uses = result.verdicts.flatMap((verdict) => {
    const id = idOf(verdict);
    return id === undefined ? [] : [[id, writeVerdict(verdict)] as const];
  });
  return { type, status: { type: "available", tool_uses: Object.fromEntries(uses) } };
}

function writeVerdict({ flagged }: SafeguardVerdict): JsonObject {
  return flagged === undefined
    ? { type: "evaluated", outcome: "not_flagged" }
    : { type: "evaluated", outcome: "flagged", explanation: flagged };
}

/** In a relay the client has the provider's own ids. */
function relayedResults(results: readonly SafeguardResult[]): JsonObject[] {
  return results.map((result) => writeResult(result, ({ id }) => id));
}

const block = /(?<=\r\n\r\n|\n\n|\r\r)/;

/** Writes them into relayed answers. */
export const safeguardWriter: SafeguardWriter = {
  whole(text, results) {
    const at = text.indexOf("{") + 1;
    const more = `${JSON.stringify(member)}:${JSON.stringify(relayedResults(results))}`;
    const isEmpty = text.slice(at).trimStart().startsWith("}");
    return text.slice(0, at) + more + (isEmpty ? "" : ",") + text.slice(at);
  },
  streamed(text, results) {
    const parts = text.split(block);
    const last = parts.findLastIndex((part) => lastDelta(part) !== undefined);
    return parts.map((part, at) => (at === last ? withResults(part, results) : part)).join("");
  },
  place(text) {
    let place = 0;
    for (const part of text.split(block)) {
      if (lastDelta(part) !== undefined) return place;
      place += part.length;
    }
    return place;
  },
};

function withResults(part: string, results: readonly SafeguardResult[]): string {
  const event = lastDelta(part);
  if (event === undefined) return part;
  const delta = isObject(event["delta"]) ? event["delta"] : {};
  const judged = { ...event, delta: { ...delta, [member]: relayedResults(results) } };
  const end = /(?:\r\n|\n|\r)*$/.exec(part)?.[0] ?? "";
  const lines = part.slice(0, part.length - end.length).split(/\r\n|\n|\r/);
  const others = lines.filter((line) => !line.startsWith("data:"));
  return [...others, `data: ${JSON.stringify(judged)}`].join("\n") + end;
}

/** The event's data where it is a stream's `message_delta`. */
function lastDelta(part: string): JsonObject | undefined {
  if (!part.includes("message_delta")) return undefined;
  const lines = part.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
  const value = parseJson(lines.map((line) => line.slice("data:".length)).join("\n"));
  if (!isObject(value)) return undefined;
  const type = value["type"] ?? (/^event: ?message_delta$/m.test(part) ? "message_delta" : "");
  return type === "message_delta" ? value : undefined;
}
