/** Every route of the dashboard for everybody, in their own workspace and with what belongs to another. */
import { beforeAll, describe, expect, it } from "vitest";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { callers, type CallerName } from "./kit/actors.ts";
import { browserWith, callPage, type PageAnswer } from "./kit/browsers.ts";
import { gatewayEnv } from "./kit/gateway.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { pageCall } from "./page-calls.ts";
import { pageTable } from "./page-table.ts";

type Browsers = Readonly<Partial<Record<CallerName, CookieJar>>>;

interface World {
  readonly own: Place;
  readonly foreign: Place;
  readonly browsers: Browsers;
}

async function makeWorld(): Promise<World> {
  const [own, foreign] = [await makePlace(), await makePlace()];
  return { own, foreign, browsers: await makeBrowsers({ own, foreign }) };
}

async function makeBrowsers({ own, foreign }: { own: Place; foreign: Place }): Promise<Browsers> {
  return {
    "workspace token": await browserWith(own.token),
    stranger: await browserWith(foreign.token),
  };
}

const routes = pageRights
  .filter(([, path, right]) => right !== "open" && path !== "/waiting")
  .map(([method, path]) => `${method} ${path}`);
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

function expectedFor(route: string, caller: CallerName): string {
  return pageTable[route]?.[1].split(" ")[callers.indexOf(caller)] ?? "no row";
}

/** Whether things of the workspace, or sessions in it, are gone after it. */
function ends(route: string): boolean {
  return /^POST .*\/(delete|import|token|sign-out)$/.test(route);
}

/** Whether the page let its caller in: it showed something, did something, or said what is wrong with the form. */
function isLetIn({ status, location }: PageAnswer): boolean {
  return [200, 303, 400, 422].includes(status) && location?.endsWith("/sign-in") !== true;
}

/** Does it, and sees that nothing changed. */
async function unchanged(call: () => Promise<PageAnswer>): Promise<PageAnswer> {
  const places = [world.own.id, world.foreign.id];
  const before = await storedText(places);
  const answer = await call();
  expect(await storedText(places)).toBe(before);
  return answer;
}

it("has a row for every page", () => {
  expect(Object.keys(pageTable).toSorted()).toEqual([...routes].toSorted());
});

describe.each(routes)("%s", (route) => {
  const reads = route.startsWith("GET");

  it("sends who is not signed in to the sign-in, whatever tokens their headers name", async () => {
    for (const token of [gatewayEnv.ADMIN_TOKEN, world.own.token, world.own.key]) {
      const headers = { authorization: `Bearer ${token}`, "x-gateway-workspace": world.own.id };
      const call = pageCall(route, world.own);
      const answer = await unchanged(() => callPage(call, new CookieJar(), headers));
      expect(answer.status).toBe(reads ? 303 : 401);
      if (reads) expect(answer.location).toMatch(/\/sign-in$/);
      expect(answer.text).not.toContain(world.own.canary);
    }
  });

  it("refuses who lacks the right, and finds nothing of other workspaces", async () => {
    for (const caller of callers) {
      const jar = world.browsers[caller];
      const expected = expectedFor(route, caller);
      if (jar === undefined || expected === "ok") continue;
      const answer = await unchanged(() => callPage(pageCall(route, world.own), jar));
      expect(answer.status, caller).toBe(Number(expected));
      expect(answer.text, caller).not.toContain(`Harness ${world.own.canary}`);
    }
  });

  it("lets in who has the right, and shows nothing of other workspaces", async () => {
    for (const caller of callers) {
      if (expectedFor(route, caller) !== "ok") continue;
      const { own, foreign, browsers } = ends(route) ? await makeWorld() : world;
      const jar = browsers[caller];
      if (jar === undefined) continue;
      const place = caller === "stranger" ? foreign : own;
      const answer = await callPage(pageCall(route, place), jar);
      expect(isLetIn(answer), `${caller}: ${answer.status} ${answer.location}`).toBe(true);
      expect(answer.text, caller).not.toContain(
        caller === "stranger" ? own.canary : foreign.canary,
      );
    }
  });

  it.runIf(!reads)("refuses forms that other sites post", async () => {
    const jar = world.browsers["workspace token"];
    if (jar === undefined) throw new Error("nobody is signed in");
    const { form, ...call } = pageCall(route, world.own);
    for (const headers of foreignOrigins) {
      const type = "application/x-www-form-urlencoded";
      const posted = { ...headers, "content-type": type };
      const answer = await unchanged(() => callPage(call, jar, posted));
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(form).toBeDefined();
    }
  });
});

/** What browsers say of requests that other pages made. */
const foreignOrigins: readonly Readonly<Record<string, string>>[] = [
  {},
  { origin: "http://evil.test" },
  { origin: "http://gateway.test.evil.test" },
  { origin: "http://gateway.test:8080" },
  { origin: "null" },
  { origin: "http://gateway.test", "sec-fetch-site": "cross-site" },
  { origin: "http://gateway.test", "sec-fetch-site": "same-site" },
];
