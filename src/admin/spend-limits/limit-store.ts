/** Where spend limits are kept: those for everybody in the document (`person_limits`), a person's own beside their keys. */
import { lowerCaseAscii } from "../../lib/ascii.ts";
import type { MemberRecord } from "../../workspace/accounts/tables/memberships.ts";
import { editConfig, readConfig } from "../routes/document/config.ts";
import { askDirectory } from "../shared/credentials/access.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";
import { badField, noSpendLimit } from "./answers.ts";
import type { NewSpendLimit } from "./limit-body.ts";
import {
  type SpendLimit,
  spendLimitsOf,
  type SpendScope,
  spendPeriodOf,
  withSpendLimit,
} from "./spend-limit.ts";

/** Everybody's first, then those of persons in the order of their ids. */
export async function readSpendLimits(scope: AdminScope): Promise<SpendLimit[]> {
  const [{ person_limits: general = [] }, own] = await Promise.all([
    readConfig(scope),
    askWorkspace(scope, (stub) => stub.personLimits()),
  ]);
  const found = await spendLimitsOf({ type: "organization" }, general);
  for (const person of Object.keys(own).sort())
    found.push(...(await spendLimitsOf({ type: "user", user_id: person }, own[person] ?? [])));
  return found;
}

/** Throws SpendLimitFault 404. */
export async function findSpendLimit(scope: AdminScope, id: string): Promise<SpendLimit> {
  const found = (await readSpendLimits(scope)).find((limit) => limit.id === id);
  if (found === undefined) throw noSpendLimit();
  return found;
}

/** Sets the limit of that scope and period, whether there was one or not. */
export async function saveSpendLimit(scope: AdminScope, limit: NewSpendLimit): Promise<SpendLimit> {
  const { cents, period } = limit;
  const whom = await knownScope(scope, limit.scope);
  const entries = await changeLimits(scope, whom, { period, cents });
  const own = entries.filter((entry) => spendPeriodOf(entry) === period);
  const [saved] = await spendLimitsOf(whom, own);
  if (saved === undefined) throw noSpendLimit();
  return saved;
}

/** Takes the limit away; throws SpendLimitFault 404. */
export async function deleteSpendLimit(scope: AdminScope, id: string): Promise<void> {
  const { scope: whom, period } = await findSpendLimit(scope, id);
  await changeLimits(scope, whom, { period, cents: null });
}

/** A person may be named by their id here, by the identity provider's, or by e-mail address. */
export function isNamed({ id, subject, email }: MemberRecord, name: string): boolean {
  return name === id || name === subject || lowerCaseAscii(name) === email;
}

/** Everybody who belongs to the workspace. */
export function workspacePeople({ env, workspace }: AdminScope): Promise<MemberRecord[]> {
  return askDirectory(env, (directory) => directory.members(workspace));
}

async function knownScope(scope: AdminScope, whom: SpendScope): Promise<SpendScope> {
  if (whom.type === "organization") return whom;
  const person = (await workspacePeople(scope)).find((each) => isNamed(each, whom.user_id));
  if (person === undefined)
    throw badField("scope.user_id", "nobody of that name belongs to the workspace");
  return { type: "user", user_id: person.id };
}

type LimitChange = Pick<Parameters<typeof withSpendLimit>[1], "period" | "cents">;

async function changeLimits(scope: AdminScope, whom: SpendScope, change: LimitChange) {
  const dated = { ...change, now: new Date().toISOString() };
  if (whom.type === "organization") {
    const changed = await editConfig(scope, (config) => ({
      ...config,
      person_limits: withSpendLimit(config.person_limits ?? [], dated),
    }));
    return changed.person_limits ?? [];
  }
  const { actor } = scope.caller;
  const known = await askWorkspace(scope, (stub) => stub.personLimits());
  const limits = withSpendLimit(known[whom.user_id] ?? [], dated);
  await askWorkspace(scope, (stub) => stub.setPersonLimits(whom.user_id, limits, actor));
  return limits;
}
