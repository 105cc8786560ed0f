import { describe, expect, it } from "vitest";
import { RequestBody } from "../../src/gateway/request/body.ts";
import { letFinish } from "../../src/gateway/request/unread-body.ts";
import { requestTimer } from "../../src/lib/request-timer.ts";

const megabyte = 1024 * 1024;

describe("a body that says it is far too long", () => {
  it("is refused with 413 and left alone, so that the refusal can be answered", async () => {
    const sent = {
      method: "POST",
      headers: { "content-length": String(1000 * megabyte) },
      // It never ends.
      body: new ReadableStream({ type: "bytes" }),
      // Node wants it of streams.
      duplex: "half",
    };
    const http = new Request("http://gateway.test/", sent);
    const timer = requestTimer();
    const bounds = { cap: 32 * megabyte, patience: { idle: 1000, total: 1000 }, timer };
    await expect(
      new RequestBody({ http, headers: http.headers }).text(bounds),
    ).rejects.toMatchObject({
      marker: "M300",
      status: 413,
    });
    await expect(letFinish(http)).resolves.toBeUndefined();
  });
});
