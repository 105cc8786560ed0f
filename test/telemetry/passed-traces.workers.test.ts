/** A gateway that sends no telemetry hands a caller's trace on as it came. */
import { describe, expect, it } from "vitest";
import { clients, openLane, provider, replyScript, request } from "../kit/asking.ts";
import { asked, rowOf, world } from "../gateway/kit.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
const tracestate = "vendor=one two,other=2";

describe("a trace that came with a request", () => {
  it.each(clients)(
    "goes on to the provider as it came, relayed and translated, from %s",
    async (client) => {
      const lane = openLane();
      await lane.answer(replyScript("messages", { text: "fine" }, { stream: false }));
      const where = await world({ providers: [provider({ id: "one", format: "messages", lane })] });
      const body = request(client, { model: "one/m" });
      const got = await asked(where, { client, body, headers: { traceparent, tracestate } });
      expect(got.status, got.text).toBe(200);
      await asked(where, { client, body, headers: { traceparent: "wrong", tracestate } });
      await asked(where, { client, body });
      const [passed, ...others] = await lane.received();
      expect(passed?.headers).toMatchObject({ traceparent, tracestate });
      for (const { headers } of others) {
        expect(headers).not.toHaveProperty("traceparent");
        expect(headers).not.toHaveProperty("tracestate");
      }
      const row = await rowOf(where, got.headers.get("x-gateway-request-id"));
      for (const attempt of row["attempts"] as object[])
        for (const name of ["begun", "span", "cause", "providerFormat", "provider_format"])
          expect(attempt).not.toHaveProperty(name);
    },
  );

  it("yields to a header that the provider's entry has", async () => {
    const lane = openLane();
    await lane.answer(replyScript("chat", { text: "fine" }, { stream: false }));
    const headers = { Traceparent: "00-11111111111111111111111111111111-2222222222222222-01" };
    const where = await world({
      providers: [provider({ id: "one", format: "chat", lane, headers })],
    });
    const body = request("chat", { model: "one/m" });
    await asked(where, { client: "chat", body, headers: { traceparent } });
    expect((await lane.received())[0]?.headers["traceparent"]).toBe(headers.Traceparent);
  });
});
