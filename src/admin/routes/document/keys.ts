/** Keys of a harness: made, listed, revoked. */
import * as z from "zod";
import { invalid, type Problem } from "../../../core/problem.ts";
import { newId } from "../../../lib/ids.ts";
import { allowedModelsSchema, limitsSchema } from "../../../store/config.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey, makeKey } from "../../../store/keys.ts";
import type { KeyRecord } from "../../../store/snapshot.ts";
import { mayHaveKeys } from "../../../workspace/accounts/membership-step.ts";
import { mostKeys } from "../../../workspace/rules/key-count.ts";
import type { KeyChange } from "../../../workspace/rules/key-terms.ts";
import { mayDo } from "../../../store/roles.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { ownOnly } from "../../shared/caller.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { forbidden, noHarness, notFound, tooMany } from "../../shared/errors.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import { type AdminScope, askNewMethod, askWorkspace } from "../../shared/scope.ts";

const newKeySchema = z.strictObject({
  name: z.string().max(200).optional(),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  /** Null: none. */
  limits: limitsSchema.nullable().optional(),
  /** What it may reach of its harness's models; null: all of them. */
  models: allowedModelsSchema.nullable().optional(),
});
/** What may be said of a key that is to be made, and changed of one that is there. */
export type NewKey = z.infer<typeof newKeySchema>;

const ownedKeySchema = newKeySchema.extend({
  /** Id of the person whose key it is; missing: the caller's; null: nobody's in particular. Only owners say it. */
  person: z.string().max(64).nullable().optional(),
});
type OwnedKey = z.infer<typeof ownedKeySchema>;

const createdKeySchema = z.strictObject({
  id: z.string(),
  /** The text, shown this once. */
  key: z.string(),
  name: z.string(),
  created_at: z.string(),
});
/** A new key with its text. */
export type CreatedKey = z.infer<typeof createdKeySchema>;

const keyViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  last4: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  /** Id of the person whose key it is; null: nobody's in particular. */
  person: z.string().nullable(),
  limits: limitsSchema,
  /** Null: all models of its harness. */
  models: allowedModelsSchema.nullable(),
});
/** A key as it is shown: without its text and its hash. */
export type KeyView = z.infer<typeof keyViewSchema>;

const tooManyKeys = `A person can have at most ${mostKeys.ofPerson} keys in a workspace, and a workspace ${mostKeys.inAll}. Revoke some first.`;

/** Makes a key of the harness; 404 when there is no such harness, or no such member where one is named. */
export async function createKey(
  scope: AdminScope,
  harness: string,
  { name = "", expires_at: expires, limits, models, person: asked }: OwnedKey,
): Promise<CreatedKey> {
  const person = await keyPerson(scope, asked);
  const text = await makeKey(scope.workspace, await keyringOf(scope.env.ENCRYPTION_KEY));
  const record: KeyRecord = {
    id: newId("key_"),
    name,
    harness,
    hash: await hashKey(text),
    last4: text.slice(-4),
    created_at: new Date().toISOString(),
    expires_at: typeof expires === "string" ? utc(expires) : null,
    last_used_at: null,
    ...(person !== null && { person }),
    ...(limits !== undefined && limits !== null && { limits }),
    ...(models !== undefined && models !== null && { models }),
  };
  const { actor } = scope.caller;
  const created = await askWorkspace(scope, (stub) => stub.createKey(record, actor));
  if (created === false) throw noHarness(harness);
  if (created === "left") throw forbidden();
  if (created === "full") throw tooMany(tooManyKeys);
  return { id: record.id, key: text, name: record.name, created_at: record.created_at };
}

/** Whose the key will be. The workspace's object makes none for somebody who left in the meantime. */
async function keyPerson(
  { env, workspace, caller }: AdminScope,
  asked: string | null | undefined,
): Promise<string | null> {
  const own = caller.person ?? null;
  const ownsAll = mayDo(caller.role, "write");
  // A member without an id of a person could neither see nor revoke the key.
  if (!ownsAll && (own === null || (asked ?? own) !== own || asked === null)) throw forbidden();
  if (asked === undefined || asked === null || asked === own) return asked === null ? null : own;
  const members = await askDirectory(env, (directory) => directory.members(workspace, asked));
  const [member] = members;
  if (member === undefined) throw notFound(`There is no member ${JSON.stringify(asked)}`);
  if (!mayHaveKeys(member.role)) throw invalid("person", "is a viewer, and viewers have no keys");
  return asked;
}

function utc(time: string): string {
  return new Date(time).toISOString();
}

/** Changes what is given of a key, at once everywhere; 404 when the harness has no such key. */
export async function changeKey(
  scope: AdminScope,
  of: { readonly harness: string; readonly id: string },
  { name, expires_at: expires, limits, models }: NewKey,
): Promise<KeyView> {
  const change: KeyChange = {
    ...(name !== undefined && { name }),
    ...(expires !== undefined && { expires_at: expires === null ? null : utc(expires) }),
    ...(limits !== undefined && { limits }),
    ...(models !== undefined && { models }),
  };
  const { actor } = scope.caller;
  const key = await askWorkspace(scope, (stub) => stub.changeKey(of, change, actor));
  if (key === undefined) throw noKey(of.harness, of.id);
  return keyView(key);
}

function noKey(harness: string, id: string): Problem {
  return notFound(`harness ${JSON.stringify(harness)} has no key ${JSON.stringify(id)}`);
}

/** The harness's keys, oldest first, of a member their own; 404 when there is no such harness. */
export async function listKeys(scope: AdminScope, harness: string): Promise<KeyView[]> {
  const keys = await askWorkspace(scope, (stub) => stub.listKeys(harness));
  if (keys === undefined) throw noHarness(harness);
  const own = ownOnly(scope.caller);
  return keys.filter(({ person }) => own === undefined || person === own).map(keyView);
}

/** A key with the id of its harness. */
export type FoundKey = Pick<KeyRecord, "id" | "name" | "last4" | "harness">;

/** Keys by a part of their names, of a member their own; none from an object of the version before. */
export async function findKeys(
  scope: AdminScope,
  search: { readonly text: string; readonly most: number },
): Promise<FoundKey[]> {
  const person = ownOnly(scope.caller);
  const found = await askNewMethod<KeyRecord[]>(
    scope,
    (stub) => stub.findKeys({ ...search, ...(person !== undefined && { person }) }),
    async () => [],
  );
  return found.map(({ id, name, last4, harness }) => ({ id, name, last4, harness }));
}

function keyView(key: KeyRecord): KeyView {
  const { id, name, last4, created_at, expires_at, last_used_at } = key;
  const { person = null, limits = [], models = null } = key;
  return {
    id,
    name,
    last4,
    created_at,
    expires_at,
    last_used_at,
    person,
    limits: [...limits],
    models: models === null ? null : [...models],
  };
}

/** Revokes a key at once; 404 when the harness has no such key, or a member none of their own. */
export async function deleteKey(scope: AdminScope, harness: string, id: string): Promise<void> {
  const isTheirs = async () => (await listKeys(scope, harness)).some((key) => key.id === id);
  if (ownOnly(scope.caller) !== undefined && !(await isTheirs())) throw noKey(harness, id);
  const { actor } = scope.caller;
  const deleted = await askWorkspace(scope, (stub) => stub.deleteKey(harness, id, actor));
  if (!deleted) throw noKey(harness, id);
}

/** The routes of keys. */
export const adminKeyRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/harnesses/{id}/keys",
      summary: "Create a key; it is shown only once",
      access: "write-own",
      body: { schema: ownedKeySchema, optional: true },
      status: 201,
      answer: createdKeySchema,
    },
    ({ params, body }, { scope }) => createKey(scope, params.id, body),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/harnesses/{id}/keys",
      summary: "A harness's keys",
      access: "read-own",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(keyViewSchema),
    },
    async ({ params, query }, { scope }) => pageOfList(await listKeys(scope, params.id), query),
  ),
  defineRoute(
    {
      method: "PATCH",
      path: "/api/harnesses/{id}/keys/{keyId}",
      summary: "Change a key's name, expiry, limits or models; null removes one",
      access: "write",
      body: { schema: newKeySchema },
      status: 200,
      answer: keyViewSchema,
    },
    ({ params, body }, { scope }) =>
      changeKey(scope, { harness: params.id, id: params.keyId }, body),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/harnesses/{id}/keys/{keyId}",
      summary: "Revoke a key",
      access: "write-own",
      status: 204,
    },
    ({ params }, { scope }) => deleteKey(scope, params.id, params.keyId),
  ),
] as const;
