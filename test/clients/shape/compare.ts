/** What differs between two shapes of one client. */
import type { ClientShape, EndpointShape } from "./shape.ts";

export interface Difference {
  /** Method and path. */
  endpoint: string;
  kind: "new" | "gone";
  /** Like `header x-app`, or `field tools[].type = web_search`. */
  what: string;
}

/** What is new in `seen`, and what of `known` is gone. */
export function differences(known: ClientShape, seen: ClientShape): Difference[] {
  const names = [...new Set([...Object.keys(known), ...Object.keys(seen)])];
  return names.flatMap((endpoint) => {
    const before = known[endpoint];
    const after = seen[endpoint];
    if (before === undefined)
      return [{ endpoint, kind: "new" as const, what: "the whole request" }];
    if (after === undefined)
      return [{ endpoint, kind: "gone" as const, what: "the whole request" }];
    const old = new Set(factsOf(before));
    const now = new Set(factsOf(after));
    return [
      ...[...now]
        .filter((what) => !old.has(what))
        .map((what) => ({ endpoint, kind: "new" as const, what })),
      ...[...old]
        .filter((what) => !now.has(what))
        .map((what) => ({ endpoint, kind: "gone" as const, what })),
    ];
  });
}

/** Everything that a shape says, one sentence each. */
function factsOf({ headers, query, body }: EndpointShape): string[] {
  return [
    ...Object.entries(headers).flatMap(([name, values]) => [
      `header \`${name}\``,
      ...values.map((value) => `header \`${name}: ${value}\``),
    ]),
    ...query.map((name) => `query \`${name}\``),
    ...Object.entries(body).flatMap(([path, { types, values = [] }]) => [
      ...types.map((type) => `field \`${path}\` (${type})`),
      ...values.map((value) => `field \`${path}\` = \`${value}\``),
    ]),
  ];
}
