import { describe, expect, it } from "vitest";
import { openLane, provider } from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { asked, inFlight, rowOf, world } from "./kit.ts";

describe("a relay of what only its provider can read", () => {
  it("is answered and booked with an estimate when the provider reports no usage", async () => {
    const lane = openLane();
    const output = [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello there.", annotations: [] }],
      },
    ];
    const answer = { id: "resp_1", object: "response", status: "completed", model: "m", output };
    await lane.answer(whole(answer));
    const where = await world({ providers: [provider({ id: "lab", format: "responses", lane })] });
    const body = { model: "lab/m", input: "Say hello.", temperature: "warm" };
    const got = await asked(where, { client: "responses", body });
    expect(got.status, got.text).toBe(200);
    const row = await rowOf(where, got.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, usage: { estimated: true } });
    expect(await inFlight(where)).toBe(0);
  });
});
