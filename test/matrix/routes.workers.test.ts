/** Every route of the admin API for everybody, in their own workspace and in another. */
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { type AdminReply, askAdmin, type RouteName } from "../kit/admin-api.ts";
import { callers, type CallerName, makeTokens, nobodies, type Tokens } from "./kit/actors.ts";
import { send } from "./kit/gateway.ts";
import { makePlace, type Place } from "./kit/places.ts";
import { storedText } from "./kit/storage.ts";
import { routeCalls } from "./route-calls.ts";
import { routeTable } from "./route-table.ts";

interface World {
  readonly own: Place;
  readonly foreign: Place;
  readonly tokens: Tokens;
}

async function makeWorld(): Promise<World> {
  const [own, foreign] = [await makePlace(), await makePlace()];
  return { own, foreign, tokens: makeTokens({ own, foreign }) };
}

/** What a call may say besides its route. */
interface Calling {
  readonly token: string;
  readonly place: Place;
  /** The header `X-Gateway-Workspace`. */
  readonly workspace?: string;
  readonly as?: CallerName;
}

/** Calls the route on the things of that workspace. */
async function callRoute(name: RouteName, calling: Calling): Promise<AdminReply> {
  const { token, place, workspace, as: caller = "root" } = calling;
  const call = await targetOf(name, { place, caller });
  return await askAdmin(send, call.target, {
    token,
    ...(workspace !== undefined && { workspace }),
    ...(call.body !== undefined && { body: call.body }),
  });
}

async function targetOf(name: RouteName, meant: { place: Place; caller: CallerName }) {
  const { params = {}, query = {}, body } = await routeCalls[name](meant);
  const target = name.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(String(Reflect.get(params, parameter))),
  );
  const search = new URLSearchParams(query).toString();
  return { target: search === "" ? target : `${target}?${search}`, body };
}

function expectedFor(name: RouteName, caller: CallerName): number {
  const route = adminRoutes.find((each) => each.name === name);
  const cell = routeTable[name][1].split(" ")[callers.indexOf(caller)];
  return cell === "ok" ? (route?.status ?? 0) : Number(cell);
}

/** Everybody who has something to say in the one workspace alone. */
const ofOwn: readonly CallerName[] = ["owner", "member", "viewer", "workspace token"];

/** After these a workspace or a credential is another. */
const endings: ReadonlySet<RouteName> = new Set(["POST /api/admin-token"]);

/** It would replace the token that all tests of this deployment use. */
function isUnrepeatable(name: RouteName, caller: CallerName): boolean {
  return name === "POST /api/admin-token" && caller === "root";
}

const names = adminRoutes.map(({ name }) => name);
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

/** Calls and sees that nothing was changed and nothing of the place was told. */
async function expectRefused(name: RouteName, calling: Calling & { status: number }) {
  const { own, foreign } = world;
  const call = await targetOf(name, { place: calling.place, caller: calling.as ?? "root" });
  const before = await storedText([own.id, foreign.id]);
  const reply = await askAdmin(send, call.target, {
    token: calling.token,
    ...(calling.workspace !== undefined && { workspace: calling.workspace }),
    ...(call.body !== undefined && { body: call.body }),
  });
  const text = JSON.stringify(reply.json);
  expect(reply.status, `${name}: ${text}`).toBe(calling.status);
  for (const { canary } of [own, foreign]) {
    // What the caller named themselves may be said back.
    if (!call.target.includes(canary) && !JSON.stringify(call.body ?? "").includes(canary))
      expect(text, name).not.toContain(canary);
  }
  expect(await storedText([own.id, foreign.id]), name).toBe(before);
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
    for (const nobody of nobodies) {
      const token = world.tokens[nobody];
      if (token === undefined) continue;
      const { own } = world;
      if (reach === "open") {
        expect((await callRoute(name, { token, place: own })).status).toBe(200);
      } else await expectRefused(name, { token, place: own, status: 401 });
    }
  });

  it("refuses who lacks the right in that workspace", async () => {
    for (const caller of callers) {
      const token = world.tokens[caller];
      const status = expectedFor(name, caller);
      if (token === undefined || status < 400) continue;
      const workspace = world.own.id;
      await expectRefused(name, { token, place: world.own, workspace, as: caller, status });
    }
  });

  it("answers who has the right, and tells nothing of other workspaces", async () => {
    for (const caller of callers) {
      const status = expectedFor(name, caller);
      if (status >= 400 || isUnrepeatable(name, caller)) continue;
      const { own, foreign, tokens } = endings.has(name) ? await makeWorld() : world;
      const token = tokens[caller];
      if (token === undefined) continue;
      const calling = { token, place: own, as: caller, workspace: own.id };
      const reply = await callRoute(name, calling);
      const text = JSON.stringify(reply.json);
      expect(reply.status, `${caller}: ${text}`).toBe(status);
      if (reach !== "deployment" && caller !== "stranger")
        expect(text, caller).not.toContain(foreign.canary);
    }
  });

  it.runIf(reach === "workspace")("refuses who names another workspace", async () => {
    for (const caller of ofOwn) {
      const token = world.tokens[caller];
      if (token === undefined) continue;
      const { foreign } = world;
      const named = { token, place: foreign, workspace: foreign.id, as: caller };
      await expectRefused(name, { ...named, status: 403 });
    }
  });

  it.runIf(name.includes("{"))("does not find what is another workspace's", async () => {
    for (const caller of ofOwn) {
      const token = world.tokens[caller];
      if (token === undefined) continue;
      const status = expectedFor(name, caller) < 400 ? 404 : expectedFor(name, caller);
      await expectRefused(name, { token, place: world.foreign, as: caller, status });
    }
  });
});
