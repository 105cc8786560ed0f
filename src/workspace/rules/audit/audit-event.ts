/** What of an event is kept: bounded, and whatever looks like a secret masked, should it ever get that far. */
import { isObject } from "../../../lib/json.ts";
import { mask } from "../../../store/secrets.ts";
import type { Actor, AuditEvent } from "../../contract/audit.ts";

/** Characters of an id, an action or a target. */
const longestName = 512;
/** Characters of an e-mail address. */
const longestEmail = 320;
/** Characters of `before` and of `after` as JSON text. */
const longestSide = 64 * 1024;
/** Gateway keys, tokens of administrators and of signed-in programs, and sealed credentials. */
const secret = /gw[adr]?_[\w-]{32,}|sealed:\d+:[\w:-]+/g;

/** No person: the gateway itself, or a caller of an earlier version, which did not say. */
export const systemActor: Actor = { type: "system", id: "" };

/** The event as it is kept. */
export function keptEvent({ actor, action, target, before, after }: AuditEvent): AuditEvent {
  return {
    actor: keptActor(actor),
    action: plainText(action, longestName),
    target: plainText(target, longestName),
    ...(before !== undefined && { before: keptSide(before) }),
    ...(after !== undefined && { after: keptSide(after) }),
  };
}

function keptActor({ type, id, email }: Actor): Actor {
  return {
    type,
    id: plainText(id, longestName),
    ...(email !== undefined && { email: plainText(email, longestEmail) }),
  };
}

/** Text that a column of the database gives back as it was written. */
function plainText(text: string, longest: number): string {
  // eslint-disable-next-line no-control-regex -- the control characters are what is looked for
  const visible = text.slice(0, longest).replace(/[\u0000-\u001f\u007f]/g, " ");
  return visible.toWellFormed().replace(secret, mask);
}

function keptSide(value: unknown): unknown {
  const masked = withoutSecrets(value);
  const text = JSON.stringify(masked);
  if (text.length <= longestSide) return masked;
  return `${text.slice(0, longestSide).toWellFormed()}… (${text.length} characters)`;
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return value.replace(secret, mask);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(secret, mask),
      withoutSecrets(member),
    ]),
  );
}
