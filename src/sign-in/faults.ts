/** Why a sign-in ended without one, as its page says it. */
import type { InvitationFault } from "../workspace/accounts/tables/invitations.ts";
import type { SignInMessage } from "./message.ts";

/** Everything that can go wrong. */
export type SignInFault =
  /** The gateway has no identity provider. */
  | "off"
  /** No sign-in of this browser is under way under that state. */
  | "state"
  | "expired"
  /** The code was used, or is too old. */
  | "code"
  /** The identity provider's answer is not what was asked for, or not its own. */
  | "answer"
  /** The identity provider itself said no. */
  | "refused"
  | "email"
  | "domain"
  | "uninvited"
  | "nobody"
  | "invitation"
  | "invitation-email"
  | "invitation-full"
  | "unreachable"
  /** The identity provider does not know this gateway, or serves no such sign-in. */
  | "registration";

type FaultPage = Pick<SignInMessage, "status" | "title" | "words">;

const pages: Readonly<Record<SignInFault, FaultPage>> = {
  off: {
    status: 404,
    title: "No company sign-in",
    words: ["This gateway has no identity provider. Sign in with a token instead."],
  },
  state: {
    status: 400,
    title: "Sign-in not started here",
    words: ["This browser did not start this sign-in, or already finished it. Sign in again."],
  },
  expired: {
    status: 400,
    title: "Sign-in took too long",
    words: ["A sign-in must be finished within ten minutes. Sign in again."],
  },
  code: {
    status: 400,
    title: "Sign-in already used",
    words: [
      "The identity provider says that this sign-in was already used or has expired. Sign in again.",
    ],
  },
  answer: {
    status: 400,
    title: "Sign-in not trusted",
    words: [
      "The identity provider's response can't be trusted, so you were not signed in. Try again; if that does not help, tell your administrator: the gateway's log has the details.",
    ],
  },
  refused: {
    status: 403,
    title: "Sign-in refused",
    words: ["The identity provider did not sign you in. Try again, or ask your administrator."],
  },
  email: {
    status: 403,
    title: "E-mail address not verified",
    words: [
      "The identity provider has not verified your e-mail address. Verify it there, then sign in again.",
    ],
  },
  domain: {
    status: 403,
    title: "E-mail address not allowed",
    words: ["Addresses of this domain can't sign in here. Use your work address."],
  },
  uninvited: {
    status: 403,
    title: "No invitation",
    words: ["Only invited people can sign in. Ask an owner of the workspace for an invitation."],
  },
  nobody: {
    status: 403,
    title: "Nobody is invited yet",
    words: [
      "This gateway has no members yet. Its administrator signs in with the admin token (ADMIN_TOKEN) and invites the first person.",
    ],
  },
  invitation: {
    status: 403,
    title: "Invitation not valid",
    words: ["This invitation was used, revoked or has expired. Ask for a new one."],
  },
  "invitation-email": {
    status: 403,
    title: "Invitation for another person",
    words: [
      "This invitation is for another e-mail address. Sign in with that address, or ask for your own invitation.",
    ],
  },
  "invitation-full": {
    status: 403,
    title: "Workspace is full",
    words: [
      "The workspace has as many people as its plan allows. Ask an owner to remove someone or change the plan, then open the invitation again.",
    ],
  },
  unreachable: {
    status: 502,
    title: "Identity provider not reachable",
    words: ["The identity provider does not respond. Try again in a minute."],
  },
  registration: {
    status: 502,
    title: "Sign-in not set up",
    words: [
      "The identity provider does not accept this gateway. Tell your administrator: the gateway's log has the details.",
    ],
  },
};

/** Whether the caller brought something wrong that only a call of the identity provider showed. */
export function costsACall(fault: SignInFault): boolean {
  return pages[fault].status < 500 && fault !== "refused";
}

const invitationFaults = {
  unknown: "invitation",
  email: "invitation-email",
  full: "invitation-full",
} as const satisfies Record<InvitationFault, SignInFault>;

/** Why somebody cannot use the invitation by whose link they came. */
export function invitationFault(fault: InvitationFault): SignInFault {
  return invitationFaults[fault];
}

/** A sign-in ended without one. */
export class SignInRefused extends Error {
  readonly fault: SignInFault;

  constructor(fault: SignInFault) {
    super(fault);
    this.fault = fault;
  }
}

/** The page that says what happened and what to do. */
export function faultPage(fault: SignInFault): SignInMessage {
  return { ...pages[fault], link: { href: "/dashboard/sign-in", label: "Back to sign-in" } };
}

/** The page for an address with many sign-ins that failed: its others are tried one after another. */
export const turnPage: SignInMessage = {
  status: 429,
  title: "One moment",
  words: [
    "Many sign-ins from this address failed recently, so they are checked one at a time. This page tries again automatically.",
  ],
  link: { href: "/dashboard/sign-in", label: "Back to sign-in" },
};
