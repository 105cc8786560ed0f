/** Every route of the dashboard for everybody, in their own workspace and with what belongs to another. */
import { beforeAll, describe, expect, it } from "vitest";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { makePeople, type People } from "./kit/actors.ts";
import { browserOf, browserWith, callPage, type PageAnswer } from "./kit/browsers.ts";
import { gatewayEnv } from "./kit/gateway.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { pageCall } from "./page-calls.ts";
import { pageTable } from "./page-table.ts";

/** The columns of the table. */
const visitors = ["operator", "owner", "member", "viewer", "workspace token", "stranger"] as const;
type VisitorName = (typeof visitors)[number];

interface World {
  readonly own: Place;
  readonly foreign: Place;
  readonly people: People;
  readonly browsers: Readonly<Record<VisitorName, CookieJar>>;
}

async function makeWorld(): Promise<World> {
  const places = { own: await makePlace(), foreign: await makePlace() };
  const people = await makePeople(places);
  return {
    ...places,
    people,
    browsers: {
      operator: browserOf(people.operator),
      owner: browserOf(people.owner),
      member: browserOf(people.member),
      viewer: browserOf(people.viewer),
      "workspace token": await browserWith(places.own.token),
      stranger: browserOf(people.stranger),
    },
  };
}

const routes = pageRights
  .filter(([, , right]) => right !== "open")
  .map(([method, path]) => `${method} ${path}`);
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

function expectedFor(route: string, visitor: VisitorName): string {
  return pageTable[route]?.split(" ")[visitors.indexOf(visitor)] ?? "no row";
}

function personOf(visitor: VisitorName, { people }: World) {
  return visitor === "workspace token" ? undefined : people[visitor];
}

/** Whether things of the workspace, or sessions in it, are gone after it. */
function ends(route: string): boolean {
  return /^POST .*\/(delete|import|token|sign-out|restore|undo|leave|end)$/.test(route);
}

/** Whether the page let its caller in: it showed something, did something, or said what is wrong with the form. */
function isLetIn(route: string, { status, location }: PageAnswer): boolean {
  const isOut = location?.endsWith("/sign-in") === true && !route.endsWith("/sign-out");
  return [200, 303, 400, 409, 422].includes(status) && !isOut;
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
    const { own } = world;
    const call = await pageCall(route, { place: own });
    for (const token of [gatewayEnv.ADMIN_TOKEN, own.token, own.key]) {
      const headers = { authorization: `Bearer ${token}`, "x-gateway-workspace": own.id };
      const answer = await unchanged(() => callPage(call, new CookieJar(), headers));
      expect(answer.status).toBe(reads ? 303 : 401);
      if (reads) expect(answer.location).toMatch(/\/sign-in$/);
      expect(answer.text).not.toContain(own.canary);
    }
  });

  it("refuses who lacks the right, and finds nothing of other workspaces", async () => {
    const { own, browsers, people } = world;
    for (const visitor of visitors) {
      const expected = expectedFor(route, visitor);
      if (expected === "ok") continue;
      const someone = visitor === "stranger" ? people.owner : personOf(visitor, world);
      const theirs = visitor === "operator" ? undefined : someone;
      const call = await pageCall(route, { place: own, someone: theirs });
      const answer = await unchanged(() => callPage(call, browsers[visitor]));
      expect(answer.status, visitor).toBe(Number(expected));
      expect(answer.text, visitor).not.toContain(`Harness ${own.canary}`);
    }
  });

  it("lets in who has the right, and shows nothing of other workspaces", async () => {
    for (const visitor of visitors) {
      if (expectedFor(route, visitor) !== "ok") continue;
      const there = ends(route) ? await makeWorld() : world;
      const { own, foreign, browsers } = there;
      const [place, other] = visitor === "stranger" ? [foreign, own] : [own, foreign];
      const call = await pageCall(route, { place, someone: personOf(visitor, there) });
      const answer = await callPage(call, browsers[visitor]);
      expect(isLetIn(route, answer), `${visitor}: ${answer.status} ${answer.location}`).toBe(true);
      // An operator sees the names of all workspaces.
      if (!route.startsWith("GET /workspaces"))
        expect(answer.text, visitor).not.toContain(other.canary);
    }
  });

  it.runIf(!reads)("refuses forms that other sites post", async () => {
    const { own, people, browsers } = world;
    const { form, ...call } = await pageCall(route, { place: own, someone: people.owner });
    expect(form).toBeDefined();
    for (const headers of foreignOrigins) {
      const posted = { ...headers, "content-type": "application/x-www-form-urlencoded" };
      const answer = await unchanged(() => callPage(call, browsers.owner, posted));
      expect(answer.status, JSON.stringify(headers)).toBe(403);
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
