/**
 * Whoever belongs to a workspace and opens an invitation's link signs in, sees where it leads, and says whether they
 * join: they could take another's workspace for theirs. Until then the page's form carries who they are, sealed.
 */
import * as z from "zod";
import { askDirectory } from "../admin/shared/credentials/access.ts";
import type { Env } from "../store/env.ts";
import { keyringOf } from "../store/keyring.ts";
import { hashKey } from "../store/keys.ts";
import { open, seal } from "../store/seal.ts";
import { invitationFault, SignInRefused } from "./faults.ts";
import { loginTime } from "./login-state.ts";
import type { SignInMessage } from "./message.ts";

const waitingSchema = z.strictObject({
  identity: z.strictObject({
    issuer: z.string(),
    subject: z.string(),
    email: z.string(),
    name: z.string(),
    groups: z.array(z.string()),
  }),
  login: z.strictObject({ state: z.string(), back: z.string(), invitation: z.string() }),
  /** Epoch ms of the page. */
  shown: z.number(),
});
/** Somebody who has signed in and not answered yet. */
export type WaitingGuest = z.infer<typeof waitingSchema>;

const place = { workspace: "", provider: "sign-in", field: "offer" };
const home = "/dashboard";

/**
 * The page that asks whether they join; undefined for whoever belongs nowhere yet. Throws SignInRefused where they cannot
 * use the invitation.
 */
export async function offerPage(env: Env, guest: WaitingGuest): Promise<SignInMessage | undefined> {
  const { identity, login } = guest;
  const { issuer, subject, email } = identity;
  const asked = { hash: await hashKey(login.invitation), identity: { issuer, subject, email } };
  const offer = await askDirectory(env, (directory) => directory.offer(asked));
  if (typeof offer === "string") throw new SignInRefused(invitationFault(offer));
  const { name, role, inviter, belongsElsewhere } = offer;
  if (!belongsElsewhere) return undefined;
  const sealed = await seal(JSON.stringify(guest), place, await keyringOf(env.ENCRYPTION_KEY));
  return {
    status: 200,
    title: "Join this workspace?",
    words: [
      `${inviter ?? "The administrator"} invites you to the workspace “${name}” as ${role}.`,
      `You are signed in to your identity provider as ${email}.`,
      "Owners of a workspace see what its members do there, and can use what they store in it.",
    ],
    form: {
      action: "/auth/join",
      hidden: { guest: sealed },
      buttons: [
        { name: "answer", value: "join", label: "Join" },
        { name: "answer", value: "no", label: "Not now" },
      ],
    },
  };
}

/** Who answers with this form. Throws SignInRefused for what was not made here, or too long ago. */
export async function answeringGuest(
  env: Env,
  { sealed, now }: { sealed: string; now: number },
): Promise<WaitingGuest> {
  const text = await open(sealed, place, await keyringOf(env.ENCRYPTION_KEY));
  if (text === undefined) throw new SignInRefused("state");
  const guest = waitingSchema.parse(JSON.parse(text));
  if (now - guest.shown > loginTime * 1000) throw new SignInRefused("expired");
  return guest;
}

/** The page for whoever does not join. */
export const notJoinedPage: SignInMessage = {
  status: 200,
  title: "Not joined",
  words: ["You have not joined the workspace. The invitation works until it expires."],
  link: { href: home, label: "Continue" },
};
