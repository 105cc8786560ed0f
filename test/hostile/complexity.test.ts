/** Work grows as its input does, by shapes made to be hostile: no request and no answer keeps other tenants waiting. */
import { describe, expect, it } from "vitest";
import { versionless } from "../../src/formats/gemini/request/recognize.ts";
import { fromBase64 } from "../../src/lib/ids.ts";
import { isPrivateHost } from "../../src/lib/private-host.ts";
import { namesTag } from "../../src/lib/if-none-match.ts";
import { jsonSize } from "../../src/lib/json-size.ts";
import { isTooDeep } from "../../src/lib/json.ts";
import { jsonFault } from "../../src/lib/json-place.ts";
import { FormStart } from "../../src/lib/multipart-upload.ts";
import type { Config } from "../../src/store/config.ts";
import { documentChanges } from "../../src/workspace/rules/audit/document-changes.ts";
import { clientFormatNames } from "../kit/providers.ts";
import { sampled, seeds } from "../kit/sample.ts";
import { eventPaths, filterPieces, readPieces, readWhole } from "./answer-paths.ts";
import { eventShapes, streamShapes, wholeShapes } from "./answer-shapes.ts";
import { remembered, steepGrowth } from "./growth.ts";
import { asked, requestPaths } from "./request-paths.ts";
import {
  conversationShape,
  knownShapes,
  wideRequestShapes,
  type RequestShape,
} from "./request-shapes.ts";

function expectLinear(shape: RequestShape): void {
  const askedFor = remembered((count) => asked(shape.format, shape.body(count)));
  for (const { name, run } of requestPaths)
    expect(
      steepGrowth((count) => run(askedFor(count))),
      `${shape.name}: ${name}`,
    ).toBeUndefined();
}

function expectLinearEvents<T>(
  name: string,
  make: (count: number) => T,
  read: (made: T) => Parameters<(typeof eventPaths)[number]["run"]>[0],
): void {
  const made = remembered(make);
  expect(
    steepGrowth((count) => void read(made(count))),
    `${name}: read`,
  ).toBeUndefined();
  const events = remembered((count) => read(made(count)));
  for (const path of eventPaths)
    expect(
      steepGrowth((count) => path.run(events(count))),
      `${name}: ${path.name}`,
    ).toBeUndefined();
}

describe.each(clientFormatNames)("a request in %s", (format) => {
  it.each(knownShapes(format))("grows as its conversation does: $name", expectLinear);

  it.each(sampled(wideRequestShapes(format)))("grows as one member does: $name", expectLinear);

  it.each(seeds(5).map((seed) => conversationShape(format, seed)))(
    "grows as any conversation does: $name",
    expectLinear,
  );
});

describe("an answer", () => {
  it.each(sampled(streamShapes))("that is streamed grows as it is long: $name", (shape) => {
    expectLinearEvents(shape.name, shape.pieces, (pieces) => readPieces(shape.format, pieces));
  });

  it.each(sampled(wholeShapes))("that is whole grows as it is long: $name", (shape) => {
    expectLinearEvents(shape.name, shape.body, (body) => readWhole(shape.format, body));
  });

  it.each(eventShapes)("whose blocks are open at once is written in one pass: $name", (shape) => {
    expectLinearEvents(shape.name, shape.events, (events) => events);
  });

  it.each(sampled(streamShapes.filter(({ format }) => format === "chat")))(
    "that is relayed is filtered in one pass: $name",
    ({ pieces }) => {
      const made = remembered(pieces);
      expect(steepGrowth((count) => filterPieces(made(count)))).toBeUndefined();
    },
  );
});

describe("what differs between two documents", () => {
  const models = (count: number, change: (at: number) => object) =>
    Array.from({ length: count }, (_, at) => ({ id: `m-${at}`, ...change(at) }));
  const documentOf = (list: { id: string }[]): Config => ({
    providers: [{ id: "lab", kind: "custom", models: list }],
  });
  const shapes: Record<string, (count: number) => [Config, Config]> = {
    "a list whose entries all changed": (count) => [
      documentOf(models(count, () => ({ context_window: 1 }))),
      documentOf(models(count, () => ({ context_window: 2 }))),
    ],
    "a list in reverse": (count) => [
      documentOf(models(count, () => ({}))),
      documentOf(models(count, () => ({})).toReversed()),
    ],
    "a list of other entries": (count) => [
      documentOf(models(count, () => ({}))),
      documentOf(models(count, (at) => ({ id: `other-${at}` }))),
    ],
  };
  it.each(Object.entries(shapes))(
    "is found in the time that their size takes: %s",
    (_name, make) => {
      const made = remembered(make);
      expect(steepGrowth((count) => void documentChanges(...made(count)))).toBeUndefined();
    },
  );
});

describe("the end of a text", () => {
  const rows: Record<string, readonly [(count: number) => string, (text: string) => unknown]> = {
    "slashes of a path": [(count) => `/v1${"/".repeat(count)}x`, versionless],
    "dots of a host": [(count) => `a${".".repeat(count)}b`, isPrivateHost],
    "signs behind base64": [(count) => `a${"=".repeat(count)}b`, fromBase64],
  };
  it.each(Object.entries(rows))("is looked for from there: %s", (_name, [make, work]) => {
    const made = remembered((count: number) => make(4 * count));
    expect(steepGrowth((count) => void work(made(count)))).toBeUndefined();
  });
});

describe("the tags of copies that a stranger says to hold", () => {
  it.each([" ", "\t ", ", ", "W/"])("are read in one pass: %j", (piece) => {
    const made = remembered((count: number) => `a${piece.repeat(4 * count)}b, W/"tag"`);
    expect(namesTag(made(1), 'W/"tag"')).toBe(true);
    expect(steepGrowth((count) => void namesTag(made(count), "W/"))).toBeUndefined();
  });
});

describe("a fault of a pasted document", () => {
  const shapes: Record<string, (count: number) => string> = {
    "a text that ends in the middle of an escape": (count) => `"${'\\"'.repeat(count)}\\`,
    "texts that nothing closes": (count) => '"a\\'.repeat(count),
    "words beside each other": (count) => "a ".repeat(count),
  };
  it.each(Object.entries(shapes))(
    "is found in the time that its length takes: %s",
    (_name, make) => {
      const made = remembered(make);
      expect(steepGrowth((count) => void jsonFault(made(count)))).toBeUndefined();
    },
  );
});

describe("the size of a JSON text", () => {
  const shapes: Record<string, (count: number) => string> = {
    "escaped quotes": (count) => `"${'\\"'.repeat(8 * count)}"`,
    backslashes: (count) => `"${"\\".repeat(16 * count)}"`,
    "texts that nothing closes": (count) => '"a\\'.repeat(8 * count),
    "short texts": (count) => `[${'"",'.repeat(8 * count)}1]`,
    "objects beside each other": (count) => `[${"{},".repeat(8 * count)}1]`,
    "brackets that nothing opened": (count) => "]".repeat(16 * count),
  };
  const most = { depth: 500, values: Infinity, names: Infinity, members: Infinity };
  it.each(Object.entries(shapes))("is measured in one pass: %s", (_name, make) => {
    const made = remembered(make);
    expect(steepGrowth((count) => void jsonSize(made(count), most))).toBeUndefined();
    expect(steepGrowth((count) => void isTooDeep(made(count)))).toBeUndefined();
  });
});

describe("a form before its file", () => {
  /** One byte after the other, as a slow sender may give them. */
  const feed = (text: string): void => {
    const start = new FormStart("b");
    for (const byte of Buffer.from(text)) start.add(Uint8Array.of(byte));
  };
  const shapes: Record<string, (count: number) => string> = {
    "a value of line breaks": (count) =>
      `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"\r".repeat(4 * count)}`,
    "a head without an end": (count) => `--b\r\n${"content-disposition:".repeat(count / 8)}`,
    "empty parts": (count) => "--b\r\n\r\n\r\n".repeat(count / 4),
  };
  it.each(Object.entries(shapes))("is looked at in one pass: %s", (_name, make) => {
    const made = remembered(make);
    expect(steepGrowth((count) => feed(made(count)))).toBeUndefined();
  });

  it("looks for a file at the beginnings of lines alone", () => {
    const made = remembered((count: number) =>
      Buffer.from(`--b\r\n${"content-disposition:".repeat(count)}\r\n\r\n`),
    );
    expect(steepGrowth((count) => void new FormStart("b").add(made(count)))).toBeUndefined();
  });
});
