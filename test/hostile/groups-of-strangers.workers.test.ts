/** Groups are the identity provider's: an owner among strangers collects nobody by naming one. */
import { expect, it } from "vitest";
import { api, gatewayWith, newAccount, signedIn } from "../sign-in/kit.ts";

const groupsClaim = { OIDC_GROUPS_CLAIM: "groups" };
const settings = [
  { SIGN_UP: "open", ...groupsClaim },
  { SIGN_UP: "open", MODE: "cloud", ...groupsClaim },
];

it.each(settings)("an owner who names a group finds nobody in it: %j", async (own) => {
  const gateway = gatewayWith(own);
  const group = crypto.randomUUID();
  const victim = await newAccount({ groups: [group] });
  const browser = await signedIn(gateway, victim);
  const attacker = await signedIn(gateway, await newAccount());
  const path = "/api/config";
  const body = { groups: { [group]: "viewer" } };
  expect((await api(gateway, { method: "PUT", path, by: attacker, body })).status).toBe(400);
  const members = await api(gateway, { path: "/api/members", by: attacker });
  expect(JSON.stringify(members.body)).not.toContain(victim.email);
  const { body: me } = await api(gateway, { path: "/api/me", by: browser });
  expect(me).toMatchObject({ workspaces: [{ role: "owner" }] });
});
