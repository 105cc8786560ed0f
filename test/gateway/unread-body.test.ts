import { describe, expect, it } from "vitest";
import { readBodyText } from "../../src/gateway/request/body.ts";
import { letFinish } from "../../src/gateway/request/unread-body.ts";

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
    const request = new Request("http://gateway.test/", sent);
    const bounds = { cap: 32 * megabyte, patience: { idle: 1000, total: 1000 } };
    await expect(readBodyText(request, bounds)).rejects.toMatchObject({
      marker: "M300",
      status: 413,
    });
    await expect(letFinish(request)).resolves.toBeUndefined();
  });
});
