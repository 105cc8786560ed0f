/** The live feed of the request log: what is new is sent to those alone who still may see it. */
import { beforeAll, describe, expect, it } from "vitest";
import { browserOf } from "./kit/browsers.ts";
import { gatewayBase, send } from "./kit/gateway.ts";
import { arrived, leave, type Someone } from "./kit/people.ts";
import { makePlace, oneRequest, type Place } from "./kit/places.ts";

let place: Place;

beforeAll(async () => {
  place = await makePlace();
});

async function viewer(name: string): Promise<Someone> {
  return await arrived(`${name}.${place.canary}@corp.test`, { place, role: "viewer" });
}

type Feed = ReadableStreamDefaultReader<Uint8Array>;

/** The feed of somebody's browser, once it has begun and was sent what is there. */
async function feedOf(someone: Someone): Promise<Feed> {
  const url = `${gatewayBase}/dashboard/live`;
  const response = await send(
    new Request(url, { headers: { cookie: browserOf(someone).header(url) } }),
  );
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("the feed has no body");
  await readUntil(reader, (text) => text.includes(place.requestId));
  return reader;
}

async function readUntil(reader: Feed, isEnough: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!isEnough(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

describe("a live feed that is open", () => {
  it("tells who stays of a new request, and ends for who left without a word of it", async () => {
    const [stays, goes] = [await viewer("stays"), await viewer("goes")];
    const [staying, going] = [await feedOf(stays), await feedOf(goes)];
    await leave(place, goes);
    const request = { canary: place.canary, model: `${place.providerId}/m` };
    const id = await oneRequest(place.key, request);
    expect(await readUntil(staying, (text) => text.includes(id))).toContain(id);
    await staying.cancel();
    expect(await readUntil(going, (text) => text.includes(id))).not.toContain(id);
  });
});
