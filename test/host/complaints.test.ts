import { expect, it } from "vitest";
import { shortComplaints } from "../../scripts/host/workerd/complaints.ts";

const error = (text: string): string =>
  `workerd/server/server.c++:5492: error: Uncaught exception: ${text}`;
const badFrame = (description: string): string =>
  error(
    `kj/compat/http.c++:5966: failed: remote.jsg.Error: WebSocket protocol error; protocolError.statusCode = 1002; protocolError.description = ${description}`,
  );
const badHost = (host: string): string =>
  error(`kj/compat/url.c++:453: failed: invalid hostname when stringifying URL; host = ${host}`);
const stack = "stack: /app/workerd@37c7309 /app/workerd@1fd7106";

/** What is written of these lines, each a second and a half after the one before unless they come at once. */
function written(lines: readonly string[], { atOnce = false } = {}): string[] {
  const found: string[] = [];
  let now = 0;
  const pass = shortComplaints(
    (line) => found.push(line),
    () => now,
  );
  for (const line of lines) {
    pass(line);
    if (!atOnce) now += 1500;
  }
  return found;
}

it("an error that a client caused is one short line without its stack", () => {
  expect(written([badFrame("Unknown opcode 3"), stack, badHost("a b"), stack])).toEqual([
    "A client broke the WebSocket protocol: Unknown opcode 3",
    "A client sent an invalid Host header: a b",
  ]);
});

it("what a client sent stays short and commands no terminal", () => {
  const [line = ""] = written([badHost(`\u001b[2J${"x".repeat(5000)}`)]);
  expect(line).toContain("\\u001b[2J");
  expect(line.length).toBeLessThan(200);
});

it("many at once are one line of each kind", () => {
  const many = Array.from({ length: 100 }, () => [badFrame("a"), stack, badHost("b"), stack]);
  expect(written(many.flat(), { atOnce: true })).toHaveLength(2);
});

it("every other line passes as it is, a stack too", () => {
  const lines = ["a line of the worker", error("kj/async.c++:1: failed: a bug"), stack, ""];
  expect(written(lines)).toEqual(lines);
  expect(written([badFrame("a"), stack, ...lines]).slice(1)).toEqual(lines);
});
