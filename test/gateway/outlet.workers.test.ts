import { describe, expect, it } from "vitest";
import { ClientGone, outletTo, type Outlet } from "../../src/gateway/outlet.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const alive = (): Uint8Array => bytes(": alive\n\n");

function outlet(): {
  out: Outlet;
  call: AbortController;
  end(): Promise<void>;
  text: Promise<string>;
} {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const call = new AbortController();
  const text = new Response(readable).text();
  return { out: outletTo(writer, call), call, end: () => writer.close(), text };
}

describe("a keep-alive", () => {
  it("begins with one byte, and its rest comes with the next", async () => {
    const { out, end, text } = outlet();
    out.keepAlive(alive);
    expect(out.keepAliveBegun()).toBe(true);
    await out.write(bytes(""));
    expect(out.keepAliveBegun()).toBe(false);
    await end();
    expect(await text).toBe(": alive\n\n");
  });

  it("is whole before the piece that comes meanwhile", async () => {
    const { out, end, text } = outlet();
    out.keepAlive(alive);
    await out.write(bytes("data: 1\n\n"));
    await end();
    expect(await text).toBe(": alive\n\ndata: 1\n\n");
  });
});

describe("a client that reads nothing", () => {
  it("gets no further byte of a keep-alive while the first waits, and is gone once it is given up", async () => {
    const writer = new IdentityTransformStream().writable.getWriter();
    const call = new AbortController();
    const out = outletTo(writer, call);
    out.keepAlive(alive);
    out.keepAlive(alive);
    expect(out.keepAliveBegun()).toBe(true);
    const writing = out.write(bytes("data: 1\n\n"));
    out.giveUp();
    await expect(writing).rejects.toThrow(ClientGone);
    expect(out.gone()).toBe(true);
    expect(call.signal.aborted).toBe(true);
  });
});
