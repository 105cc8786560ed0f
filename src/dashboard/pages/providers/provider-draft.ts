/**
 * What was entered and tested, between two steps of a form: sealed with the deployment's encryption, bound to workspace
 * and session, for an hour. So no secret stands in a page, nothing half-made in the document, and no script is needed.
 */
import * as z from "zod";
import { keyringOf } from "../../../store/keyring.ts";
import { open, seal, type SealPlace } from "../../../store/seal.ts";
import type { Viewer } from "../../shared/page-context.ts";

/** What decides whether a provider can be reached: with the same, a test still holds. As it was typed: it may be wrong. */
const connectionPartSchema = z.object({
  kind: z.string(),
  base_url: z.string().optional(),
  format: z.string().optional(),
  region: z.string().optional(),
  api_key: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
type ConnectionPart = z.infer<typeof connectionPartSchema>;

const draftSchema = z.strictObject({
  /** `***` stands for a stored secret that is kept. */
  entered: connectionPartSchema,
  /** How the test, and the first answer where one was asked for, ended; `none`: it could not even begin. */
  outcome: z.enum(["none", "failed", "passed"]),
});

/** What was entered, secrets included. */
export type ProviderDraft = z.infer<typeof draftSchema>;

/** The members of an entry that a test is about, always in the same order. */
export function connectionPart(entry: ConnectionPart): ConnectionPart {
  const { kind, base_url, format, region, api_key, headers } = entry;
  return {
    kind,
    ...(base_url !== undefined && { base_url }),
    ...(format !== undefined && { format }),
    ...(region !== undefined && { region }),
    ...(api_key !== undefined && { api_key }),
    ...(headers !== undefined && { headers }),
  };
}

/** Whether a test of the one says what a test of the other would. */
export function isSameConnection(a: ConnectionPart, b: ConnectionPart): boolean {
  return JSON.stringify(connectionPart(a)) === JSON.stringify(connectionPart(b));
}

/** Milliseconds that a sealed step is good for. */
const lifetime = 60 * 60_000;

/** No provider has such an id, so that what is sealed here opens nowhere else. */
function placeOf({ scope, session }: Viewer, field: string): SealPlace {
  return { workspace: scope.workspace, provider: `session:${session}`, field };
}

async function sealed(viewer: Viewer, field: string, value: unknown): Promise<string> {
  const ring = await keyringOf(viewer.scope.env.ENCRYPTION_KEY);
  const text = JSON.stringify({ until: Date.now() + lifetime, value });
  return await seal(text, placeOf(viewer, field), ring);
}

async function opened<Schema extends z.ZodType>(
  viewer: Viewer,
  { field, schema, text }: { field: string; schema: Schema; text: string | null | undefined },
): Promise<z.output<Schema> | undefined> {
  if (text === null || text === undefined || text === "") return undefined;
  const ring = await keyringOf(viewer.scope.env.ENCRYPTION_KEY);
  const plain = await open(text, placeOf(viewer, field), ring);
  if (plain === undefined) return undefined;
  const envelope = envelopeSchema.parse(JSON.parse(plain));
  const read = schema.safeParse(envelope.value);
  return read.success && envelope.until > Date.now() ? read.data : undefined;
}

const envelopeSchema = z.object({ until: z.number(), value: z.unknown() });

const draftField = "provider-draft";

/** The draft as a hidden field holds it. */
export function sealDraft(viewer: Viewer, draft: ProviderDraft): Promise<string> {
  return sealed(viewer, draftField, draft);
}

/** What the hidden field holds; undefined where it is empty, foreign or too old. */
export function openDraft(viewer: Viewer, text: string | null): Promise<ProviderDraft | undefined> {
  return opened(viewer, { field: draftField, schema: draftSchema, text });
}

const answerField = "first-answer";
const shownAnswerSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  text: z.string(),
  ms: z.number(),
  cost: z.number().optional(),
});

/** A model's first answer, as the page of its provider shows it. */
export type ShownAnswer = z.infer<typeof shownAnswerSchema>;

/** Characters of an answer that an address has room for. */
const longestAnswer = 600;

/** The answer as the address of the next page holds it: nobody can put words on the page by a link. */
export function sealAnswer(viewer: Viewer, answer: ShownAnswer): Promise<string> {
  return sealed(viewer, answerField, { ...answer, text: answer.text.slice(0, longestAnswer) });
}

/** What the address holds, where it is of this session. */
export function openAnswer(
  viewer: Viewer,
  text: string | undefined,
): Promise<ShownAnswer | undefined> {
  return opened(viewer, { field: answerField, schema: shownAnswerSchema, text });
}
