/** Every route of the admin API for everybody, in their own workspace and in another. */
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { type AdminReply, askAdmin, type RouteName } from "../kit/admin-api.ts";
import {
  callers,
  type CallerName,
  type Credential,
  type Credentials,
  makeCredentials,
  makePeople,
  nobodies,
  type People,
} from "./kit/actors.ts";
import { gatewayBase, send } from "./kit/gateway.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { type Meant, routeCalls, routeTarget, type RouteTarget } from "./route-calls.ts";
import { routeTable } from "./route-table.ts";

interface World {
  readonly own: Place;
  readonly foreign: Place;
  readonly people: People;
  readonly credentials: Credentials;
}

async function makeWorld(): Promise<World> {
  const places = { own: await makePlace(), foreign: await makePlace() };
  const people = await makePeople(places);
  return { ...places, people, credentials: await makeCredentials(places, people) };
}

/** A call of a route upon a workspace's things. */
interface Calling extends Meant {
  readonly name: RouteName;
  readonly credential: Credential;
  /** The header `X-Gateway-Workspace`. */
  readonly workspace?: string;
}

async function ask({ target, body }: RouteTarget, { credential, workspace }: Calling) {
  const { kind, text } = credential;
  const headers = { cookie: `gateway_session=${text}`, origin: gatewayBase };
  return await askAdmin(send, target, {
    token: kind === "token" ? text : "",
    ...(kind === "session" && { headers }),
    ...(workspace !== undefined && { workspace }),
    ...(body !== undefined && { body }),
  });
}

async function callRoute(calling: Calling): Promise<AdminReply> {
  return await ask(await routeTarget(calling.name, calling), calling);
}

function expectedFor(name: RouteName, caller: CallerName, { kind }: Credential): number {
  const route = adminRoutes.find((each) => each.name === name);
  const [ofToken, ofSession = ofToken] =
    routeTable[name][1].split(" ")[callers.indexOf(caller)]?.split("/") ?? [];
  const cell = kind === "token" ? ofToken : ofSession;
  return cell === "ok" ? (route?.status ?? 0) : Number(cell);
}

/** Everybody who has something to say in the one workspace alone. */
const ofOwn: readonly CallerName[] = ["owner", "member", "viewer", "workspace token"];

/** After these a workspace or a credential is another. */
const endings: ReadonlySet<RouteName> = new Set([
  "POST /api/admin-token",
  "POST /api/history/{n}/restore",
  "DELETE /api/sessions",
  "DELETE /api/sessions/{id}",
  "DELETE /api/workspaces/{id}",
]);

/** What they name by a number is counted in each workspace anew. */
const counted: ReadonlySet<RouteName> = new Set(["POST /api/history/{n}/restore"]);

/** It would replace the token that all tests of this deployment use. */
function isUnrepeatable(name: RouteName, caller: CallerName): boolean {
  return name === "POST /api/admin-token" && caller === "root";
}

const names = adminRoutes.map(({ name }) => name);
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

function personOf(caller: CallerName, { of }: Credential, { people }: World) {
  return of ?? (caller === "root" || caller === "workspace token" ? undefined : people[caller]);
}

/** Every credential of these callers. */
function credentialsOf(wanted: readonly CallerName[], { credentials }: World) {
  return wanted.flatMap((caller) =>
    credentials[caller].map((credential) => ({ caller, credential })),
  );
}

/** Calls and sees that nothing was changed and nothing of either workspace was told. */
async function expectRefused(calling: Calling, status: number): Promise<void> {
  const { own, foreign } = world;
  const call = await routeTarget(calling.name, calling);
  const before = await storedText([own.id, foreign.id]);
  const reply = await ask(call, calling);
  const text = JSON.stringify(reply.json);
  const what = `${calling.name} by ${calling.credential.kind}: ${text}`;
  expect(reply.status, what).toBe(status);
  for (const { canary } of [own, foreign]) {
    // What the caller named themselves may be said back.
    if (!call.target.includes(canary) && !JSON.stringify(call.body ?? "").includes(canary))
      expect(text, what).not.toContain(canary);
  }
  expect(await storedText([own.id, foreign.id]), what).toBe(before);
}

it("has a row and a call for every route, and a column for every caller", () => {
  expect(Object.keys(routeTable).toSorted()).toEqual([...names].toSorted());
  expect(Object.keys(routeCalls).toSorted()).toEqual([...names].toSorted());
  for (const [, statuses] of Object.values(routeTable))
    expect(statuses.split(" ")).toHaveLength(callers.length);
});

describe.each(names)("%s", (name) => {
  const [reach] = routeTable[name];

  it("refuses credentials that are good nowhere", async () => {
    const { own, credentials } = world;
    for (const credential of nobodies.flatMap((nobody) => credentials[nobody])) {
      const calling = { name, credential, place: own };
      if (reach === "open") expect((await callRoute(calling)).status).toBe(200);
      else await expectRefused(calling, 401);
    }
  });

  it("refuses who lacks the right in that workspace", async () => {
    const { own } = world;
    for (const { caller, credential } of credentialsOf(callers, world)) {
      const status = expectedFor(name, caller, credential);
      if (status < 400) continue;
      const someone = personOf(caller, credential, world);
      const named = reach === "caller" ? {} : { workspace: own.id };
      await expectRefused({ name, credential, place: own, someone, ...named }, status);
    }
  });

  it("answers who has the right, and tells nothing of other workspaces", async () => {
    for (const [at, known] of credentialsOf(callers, world).entries()) {
      const { caller } = known;
      const status = expectedFor(name, caller, known.credential);
      if (status >= 400 || isUnrepeatable(name, caller)) continue;
      const there = endings.has(name) ? await makeWorld() : world;
      const credential = credentialsOf(callers, there)[at]?.credential;
      if (credential === undefined) throw new Error("no credential");
      const { own, foreign } = there;
      const named = reach === "caller" ? {} : { workspace: own.id };
      const someone = personOf(caller, credential, there);
      const reply = await callRoute({ name, credential, place: own, someone, ...named });
      const text = JSON.stringify(reply.json);
      expect(reply.status, `${caller} by ${credential.kind}: ${text}`).toBe(status);
      if (reach !== "deployment" && caller !== "stranger")
        expect(text, caller).not.toContain(foreign.canary);
    }
  });

  it.runIf(reach === "workspace" || reach === "path")(
    "refuses who names another workspace",
    async () => {
      const { foreign } = world;
      for (const { credential } of credentialsOf(ofOwn, world))
        await expectRefused({ name, credential, place: foreign, workspace: foreign.id }, 403);
    },
  );

  it.runIf(name.includes("{") && !counted.has(name))(
    "does not find what is another workspace's",
    async () => {
      const { foreign, people } = world;
      // Whether there is a workspace of that name is not told.
      const unknown = reach === "path" ? 403 : 404;
      for (const { caller, credential } of credentialsOf(ofOwn, world)) {
        const expected = expectedFor(name, caller, credential);
        const calling = { name, credential, place: foreign, someone: people.stranger };
        await expectRefused(calling, expected < 400 ? unknown : expected);
      }
    },
  );
});
