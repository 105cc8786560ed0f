/** A stream's chunks as one JSON array, which is written piece by piece: what an address without `alt=sse` asks for. */
import type { AnswerFraming, RequestAddress, TextFilter } from "../../../core/format.ts";
import { sseRewriter } from "../../../lib/sse.ts";

const array: AnswerFraming = {
  contentType: "application/json",
  // White space, which may stand anywhere between two chunks.
  keepAlive: "\n",
  frame: arrayFrame,
};

/** The framing of a stream that was asked for by this address; none for events. */
export function framing(address: RequestAddress | undefined): AnswerFraming | undefined {
  return address?.answer === "array" ? array : undefined;
}

function arrayFrame(): TextFilter {
  let opening = "[";
  const chunks = sseRewriter(({ data }) => {
    const text = opening + data;
    opening = ",\r\n";
    return text;
  });
  return {
    feed: chunks.feed,
    end() {
      const rest = chunks.end();
      return `${rest}${opening === "[" ? "[" : ""}]`;
    },
  };
}
