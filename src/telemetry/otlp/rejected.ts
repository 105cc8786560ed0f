/** What a collector that took an export says it left out of it. Pure. */
import type { OtlpEncoding } from "../../store/otel-settings.ts";
import { isObject, parseJson } from "../../lib/json.ts";

/** How many spans or points it rejected; 0 where it does not say. */
export function rejectedIn(body: Uint8Array, encoding: OtlpEncoding): number {
  const count = encoding === "json" ? inJson(body) : inProtobuf(body);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function inJson(body: Uint8Array): number {
  const answer = parseJson(new TextDecoder().decode(body));
  const partial = isObject(answer) ? answer["partialSuccess"] : undefined;
  if (!isObject(partial)) return 0;
  return Number(partial["rejectedSpans"] ?? partial["rejectedDataPoints"] ?? 0);
}

/** Both messages have `partial_success` as field 1, and in it the number as field 1. */
const partialTag = 0x0a;
const rejectedTag = 0x08;

function inProtobuf(body: Uint8Array): number {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = body[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  if (varint() !== partialTag) return 0;
  // The length of what follows.
  varint();
  return varint() === rejectedTag ? varint() : 0;
}
