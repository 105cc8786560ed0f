/** Who calls: everybody who can act in a workspace, and everybody who cannot or can no longer. */
import { gatewayEnv, operatorEmail } from "./gateway.ts";
import { accessToken, arrived, leave, revokeToken, type Someone } from "./people.ts";
import type { Place } from "./places.ts";

/** The columns of the tables: credentials that are good somewhere. */
export const callers = [
  "root",
  "operator",
  "owner",
  "member",
  "viewer",
  "workspace token",
  "stranger",
] as const;
/** One of them. */
export type CallerName = (typeof callers)[number];

/** Credentials that are good nowhere. */
export const nobodies = ["nobody", "key", "expired", "revoked", "left", "forged"] as const;
/** One of them. */
export type NobodyName = (typeof nobodies)[number];

/** The people of a workspace; the stranger owns the other one. */
export type People = Readonly<
  Record<"operator" | "owner" | "member" | "viewer" | "stranger", Someone>
>;

/** A workspace of the matrix, and another one. */
export interface Places {
  readonly own: Place;
  readonly foreign: Place;
}

/** Somebody of every role in the one workspace, an owner of the other, and an operator who belongs to none. */
export async function makePeople({ own, foreign }: Places): Promise<People> {
  const named = (role: string): string => `${role}.${own.canary}@corp.test`;
  return {
    operator: await arrived(operatorEmail()),
    owner: await arrived(named("owner"), { place: own, role: "owner" }),
    member: await arrived(named("member"), { place: own, role: "member" }),
    viewer: await arrived(named("viewer"), { place: own, role: "viewer" }),
    stranger: await arrived(`owner.${foreign.canary}@corp.test`, { place: foreign, role: "owner" }),
  };
}

/** How somebody says who they are: by a bearer token, or by the id of a browser's session. */
export interface Credential {
  readonly kind: "token" | "session";
  readonly text: string;
  /** Whose it is, where that is somebody else than the column says. */
  readonly of?: Someone;
}

/** Credentials of everybody. An operator is a person, who has no token of the deployment. */
export type Credentials = Readonly<Record<CallerName | NobodyName, readonly Credential[]>>;

/** Credentials of everybody in that workspace; the stranger's are good in the other one. */
export async function makeCredentials(
  { own, foreign }: Places,
  people: People,
): Promise<Credentials> {
  const { operator, owner, member, viewer, stranger } = people;
  const revoked = await accessToken(own, "owner", { of: owner });
  await revokeToken(own, revoked.id);
  const expired = await accessToken(own, "owner", { of: owner, ended: true });
  // An owner's token of a lesser role can do what that role can.
  const asMember = await accessToken(own, "member", { of: owner });
  const asViewer = await accessToken(own, "viewer", { of: owner });
  return {
    root: [token(gatewayEnv.ADMIN_TOKEN)],
    operator: [session(operator)],
    owner: [token((await accessToken(own, "owner", { of: owner })).text), session(owner)],
    member: [
      token((await accessToken(own, "member", { of: member })).text),
      session(member),
      { ...token(asMember.text), of: owner },
    ],
    viewer: [
      token((await accessToken(own, "viewer", { of: viewer })).text),
      session(viewer),
      { ...token(asViewer.text), of: owner },
    ],
    "workspace token": [token(own.token)],
    stranger: [
      token((await accessToken(foreign, "owner", { of: stranger })).text),
      session(stranger),
    ],
    nobody: [token("")],
    key: [token(own.key), { kind: "session", text: own.key }],
    expired: [token(expired.text)],
    revoked: [token(revoked.text), { kind: "session", text: own.token }],
    left: [token(await tokenOfWhoLeft(own))],
    forged: [
      token(`gwa_${"A".repeat(43)}`),
      token(`gwa_${"A".repeat(60)}`),
      { kind: "session", text: "A".repeat(60) },
    ],
  };
}

function token(text: string): Credential {
  return { kind: "token", text };
}

function session({ session: text }: Someone): Credential {
  return { kind: "session", text };
}

async function tokenOfWhoLeft(place: Place): Promise<string> {
  const gone = await arrived(`left.${place.canary}@corp.test`, { place, role: "owner" });
  const { text } = await accessToken(place, "owner", { of: gone });
  await leave(place, gone);
  return text;
}
