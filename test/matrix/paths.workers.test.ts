/** Other spellings of paths, methods and headers: none of them reaches what the plain one does not. */
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import { browserOf, callPage } from "./kit/browsers.ts";
import { send } from "./kit/gateway.ts";
import { accessToken, arrived, type Someone } from "./kit/people.ts";
import { makePlace, type Place } from "./kit/places.ts";

let place: Place;
let foreign: Place;
let member: Someone;
let token: string;

beforeAll(async () => {
  place = await makePlace();
  foreign = await makePlace();
  member = await arrived(`member.${place.canary}@corp.test`, { place, role: "member" });
  token = (await accessToken(place, "member", { of: member })).text;
});

const owned = pageRights.filter(
  ([method, , right]) => method === "GET" && (right === "write" || right === "read"),
);

/** A page's path with its parameters filled in. */
function plain(path: string): string {
  return `/dashboard${path.replaceAll(/:\w+/g, place.harness)}`;
}

/** Spellings that some part of a server may take for the same path. */
function spellings(path: string): string[] {
  const [start, rest] = [path.slice(0, 11), path.slice(11)];
  const coded = [...rest].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
  return [
    path,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${start}/${rest}`,
    `/dashboard/connect/..${path.slice(10)}`,
    `/dashboard/models/%2e%2e${path.slice(10)}`,
    `${start}${coded}`,
    `${start}${coded.toUpperCase()}`,
    `${start}${rest.toUpperCase()}`,
    `${path}%20`,
    `${path}%00`,
    `${path};x`,
    `${path}?/dashboard/models`,
    `/dashboard/models%2F..%2F${rest}`,
  ];
}

describe("a member", () => {
  it("opens no owner's page under any spelling of its path", async () => {
    const jar = browserOf(member);
    for (const [, path] of owned)
      for (const spelled of spellings(plain(path)))
        for (const method of ["GET", "HEAD"]) {
          const { status, text } = await callPage({ method, path: spelled }, jar);
          expect([303, 308, 403, 404], `${method} ${spelled}`).toContain(status);
          expect(text).not.toContain(`Harness ${place.canary}`);
        }
  });

  it("changes nothing by other methods than a page has", async () => {
    const jar = browserOf(member);
    const headers = { origin: "http://gateway.test", "sec-fetch-site": "same-origin" };
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const path of [
        "/harnesses",
        "/settings/token",
        "/members",
        `/harnesses/${place.harness}`,
      ]) {
        const { status } = await callPage({ method, path: `/dashboard${path}` }, jar, headers);
        expect([403, 404, 405], `${method} ${path}`).toContain(status);
      }
  });

  it("reads no route by HEAD or OPTIONS that it may not GET, under any spelling", async () => {
    for (const { method, path } of adminRoutes) {
      if (method !== "GET" || path.includes("{")) continue;
      const forms = [path, `${path}/`, `/${path}`, path.replace("/api/", "/api//"), `${path}%2f`];
      for (const form of forms)
        for (const verb of ["GET", "HEAD", "OPTIONS"]) {
          const headers = { authorization: `Bearer ${token}`, "x-gateway-workspace": foreign.id };
          const url = `http://gateway.test${form}`;
          const answer = await send(
            new Request(url, { method: verb, headers, redirect: "manual" }),
          );
          expect(await answer.text(), `${verb} ${form}`).not.toContain(foreign.canary);
        }
    }
  });

  it("reaches no other workspace by any spelling of the header", async () => {
    const { id } = foreign;
    const spelled = [id, ` ${id} `, id.toUpperCase(), `${place.id}, ${id}`, `${id}, ${place.id}`];
    for (const value of [...spelled, `"${id}"`, `${place.id};${id}`, "default", "*"]) {
      const headers = new Headers({ authorization: `Bearer ${token}` });
      headers.append("X-GATEWAY-WORKSPACE", value);
      const answer = await send(new Request("http://gateway.test/api/models", { headers }));
      expect(answer.status, value).toBe(403);
      expect(await answer.text()).not.toContain(foreign.canary);
    }
  });
});
