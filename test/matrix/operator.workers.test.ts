/** Who runs the deployment without belonging to a workspace reads none of its texts; secrets are read by nobody. */
import { beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { pageRights } from "../../src/dashboard/page-rights.ts";
import { type AdminReply, askAdmin } from "../kit/admin-api.ts";
import { browserOf, callPage } from "./kit/browsers.ts";
import { gatewayBase, gatewayEnv, operatorEmail, send } from "./kit/gateway.ts";
import { arrived, type Someone } from "./kit/people.ts";
import { asRoot, makePlace, type Place, providerSecret } from "./kit/places.ts";
import { pageCall } from "./page-calls.ts";
import { routeTarget, type RouteTarget } from "./route-calls.ts";

let place: Place;
let foreign: Place;
let operators: readonly Someone[];

beforeAll(async () => {
  place = await makePlace();
  foreign = await makePlace();
  const owner = { place: foreign, role: "owner" } as const;
  operators = [await arrived(operatorEmail()), await arrived(operatorEmail(), owner)];
});

/** Routes and pages after which nobody is signed in. */
const signOuts = /sessions|sign-(out|in)|\/leave$/;
/** What takes the workspace, things of it, or its token away. */
const endings = /^DELETE \/api\/workspaces|\/(restore|admin-token|drain)$/;
const names = adminRoutes.map(({ name }) => name);

async function askAs({ session }: Someone, { target, body }: RouteTarget, workspace?: string) {
  return await askAdmin(send, target, {
    token: "",
    headers: { cookie: `gateway_session=${session}`, origin: gatewayBase },
    ...(workspace !== undefined && { workspace }),
    ...(body !== undefined && { body }),
  });
}

function textOf({ json }: AdminReply): string {
  return JSON.stringify(json);
}

describe("an operator", () => {
  it("is shown no text of a workspace by any route, with or without naming it", async () => {
    for (const operator of operators)
      for (const name of names.filter((each) => !signOuts.test(each))) {
        const call = await routeTarget(name, { place });
        for (const workspace of [
          undefined,
          place.id,
          ` ${place.id} `,
          `${foreign.id}, ${place.id}`,
        ]) {
          const reply = await askAs(operator, call, workspace);
          expect(reply.status, name).not.toBe(401);
          expect(textOf(reply), name).not.toContain(place.hidden);
        }
      }
  });

  it("is shown no text of a workspace by any page, whatever workspace they choose", async () => {
    const pages = pageRights.filter(([, path]) => !signOuts.test(path));
    for (const operator of operators) {
      const jar = browserOf(operator);
      const choice = await callPage(await pageCall("POST /workspace", { place }), jar);
      expect(choice.status).toBe(403);
      for (const [method, path] of pages) {
        const call = await pageCall(`${method} ${path}`, { place });
        const { status, text } = await callPage(call, jar, { "x-gateway-workspace": place.id });
        expect(status, path).not.toBe(401);
        expect(text, path).not.toContain(place.hidden);
      }
    }
  });

  it("leaves their name in the workspace's audit log", async () => {
    const [operator] = operators;
    if (operator === undefined) throw new Error("no operator");
    await askAs(operator, { target: `GET /api/workspaces/${place.id}`, body: undefined });
    const log = await asRoot(place.id, "GET /api/audit");
    expect(log["data"]).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ type: "operator", id: operator.user }) as object,
      }),
    );
  });
});

/** Where texts of a workspace are to be read by its owners. */
const readings = [
  "GET /api/config",
  "GET /api/history",
  "GET /api/audit",
  "GET /api/harnesses/{id}/keys",
  "GET /api/requests/{id}",
  "GET /api/workspaces/{id}/export",
] as const;

it.each(readings)("%s shows the workspace's own texts to its owner", async (name) => {
  const { target } = await routeTarget(name, { place });
  const reply = await askAdmin(send, target, { token: place.token });
  expect(textOf(reply)).toContain(place.hidden);
});

it("shows nobody a credential, a key or a token that was made before", async () => {
  const secrets = [providerSecret(place.hidden), place.key, place.token, gatewayEnv.ADMIN_TOKEN];
  for (const name of names.filter((each) => !endings.test(each))) {
    const { target, body } = await routeTarget(name, { place });
    for (const token of [place.token, gatewayEnv.ADMIN_TOKEN]) {
      const given = { token, workspace: place.id, ...(body !== undefined && { body }) };
      const text = textOf(await askAdmin(send, target, given));
      for (const secret of secrets) expect(text, name).not.toContain(secret);
    }
  }
});
