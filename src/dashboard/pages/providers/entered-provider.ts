/** A provider as somebody enters it, step by step: what was typed, how its test went, and what the next step may do. */
import { readSnapshot } from "../../../admin/shared/scope.ts";
import type { ListedModel } from "../../../providers/connection/connection.ts";
import type { ConnectionTest } from "../../../providers/models/test-connection.ts";
import type { TestFault } from "../../../providers/models/test-fault.ts";
import { type ProviderEntry, providerSchema } from "../../../store/config.ts";
import { shapeProblem } from "../../../store/document.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { mask, openedSecrets } from "../../../store/secrets.ts";
import {
  type ChangeOutcome,
  field,
  type FieldError,
  fieldProblem,
  tryChange,
} from "../../shared/forms.ts";
import type { PageContext, PageServices, Viewer } from "../../shared/page-context.ts";
import { isSameConnection, openDraft, type ProviderDraft, sealDraft } from "./provider-draft.ts";
import { enteredIn, providerEntryFromForm, withoutSecrets } from "./provider-entry.ts";

/** What was entered in this step and those before it. */
export interface EnteredProvider {
  readonly form: URLSearchParams;
  readonly draft: ProviderDraft | undefined;
  /** The saved provider that is changed, its secrets masked. */
  readonly before: ProviderEntry | undefined;
  /** The entry, or why it cannot be read. */
  readonly entry: ChangeOutcome<ProviderEntry>;
}

/** How a step ended, as the page shows it. */
export interface StepResult {
  /** Without secrets. */
  readonly form: URLSearchParams;
  readonly error?: FieldError;
  readonly fault?: TestFault;
  readonly test?: ConnectionTest;
  /** The sealed draft for the next step. */
  readonly draft?: string;
  /** Whether the draft holds a key that was typed. */
  readonly keyed?: boolean;
  /** Whether the same may be saved: it was tested, or a test of it failed. */
  readonly outcome: ProviderDraft["outcome"];
}

/** Reads a form with what earlier steps brought. `use base_url …` of a button stands in place of what was typed. */
export async function enteredFrom(
  viewer: Viewer,
  form: URLSearchParams,
  before?: ProviderEntry,
): Promise<EnteredProvider> {
  const draft = await openDraft(viewer, form.get("draft"));
  const [verb, member, ...value] = field(form, "do").split(" ");
  if (verb === "use" && (member === "base_url" || member === "format"))
    form.set(member, value.join(" "));
  const lost = field(form, "draft") !== "" && draft === undefined;
  const known = draft?.entered ?? before ?? {};
  const entry = await tryChange(() => {
    if (lost && field(form, "api_key") === "")
      throw fieldProblem("api_key", "this page was open for too long; enter the API key again");
    return checkedEntry(providerEntryFromForm(form, known));
  });
  return { form, draft, before, entry };
}

function checkedEntry(entry: ProviderEntry): ProviderEntry {
  const read = providerSchema.safeParse(entry);
  if (!read.success) throw shapeProblem(read.error.issues);
  return entry;
}

/** Whether exactly this was tested before, and how that ended. */
export function earlierOutcome({ draft, entry }: EnteredProvider): ProviderDraft["outcome"] {
  if (draft === undefined || !entry.ok || !isSameConnection(draft.entered, entry.value))
    return "none";
  return draft.outcome;
}

/** The step's end, with everything that was entered kept for the next one. */
export async function endStep(
  viewer: Viewer,
  { form, draft, before }: EnteredProvider,
  end: Omit<StepResult, "form" | "draft" | "keyed">,
): Promise<StepResult> {
  const entered = enteredIn(form, draft?.entered ?? before ?? {});
  const sealed = await sealDraft(viewer, { entered, outcome: end.outcome });
  const keyed = entered.api_key !== undefined && entered.api_key !== mask;
  return { ...end, form: withoutSecrets(form), draft: sealed, keyed };
}

/** The end of a step whose test failed, or could not begin. */
export async function failStep(
  viewer: Viewer,
  entered: EnteredProvider,
  failed: { error: FieldError } | { fault: TestFault; test?: ConnectionTest },
): Promise<StepResult> {
  if ("error" in failed) return await endStep(viewer, entered, { ...failed, outcome: "none" });
  const { field: member = null, message } = failed.fault;
  const error = { field: member, message };
  // What the document refuses can't be saved anyway either.
  const outcome = failed.fault.cause === "entry" ? "none" : "failed";
  return await endStep(viewer, entered, { ...failed, error, outcome });
}

/** An entry that can be tested: stored secrets that it keeps are opened. */
export type Testable = { ok: true; entry: ProviderEntry } | { ok: false; fault: TestFault };

/** Stored secrets go to the address only for which they were entered. */
export async function testableEntry(c: PageContext, entry: ProviderEntry): Promise<Testable> {
  const kept = [entry.api_key, ...Object.values(entry.headers ?? {})].includes(mask);
  if (!kept) return { ok: true, entry };
  const { scope } = c.var.viewer;
  const stored = (await readSnapshot(scope)).config.providers?.find(({ id }) => id === entry.id);
  if (stored === undefined || stored.kind !== entry.kind || stored.base_url !== entry.base_url)
    return { ok: false, fault: keyNeeded(entry) };
  const ring = await keyringOf(scope.env.ENCRYPTION_KEY);
  const { apiKey, headers } = await openedSecrets(stored, scope.workspace, ring);
  const { api_key: _, ...rest } = entry;
  const key = entry.api_key === mask ? apiKey : entry.api_key;
  return {
    ok: true,
    entry: {
      ...rest,
      ...(key !== undefined && { api_key: key }),
      ...(entry.headers && { headers: withOpened(entry.headers, headers) }),
    },
  };
}

function keyNeeded({ api_key }: ProviderEntry): TestFault {
  const member = api_key === mask ? "api_key" : "headers";
  const what = member === "api_key" ? "the API key" : "the secret headers";
  const message = `The base URL changed: enter ${what} again.`;
  return { cause: "key_missing", field: member, message };
}

function withOpened(
  headers: Readonly<Record<string, string>>,
  opened: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === mask ? (opened[name] ?? mask) : value,
    ]),
  );
}

/** What a test of the entry says. */
export async function testStep(
  c: PageContext,
  services: PageServices,
  entry: ProviderEntry,
): Promise<ConnectionTest> {
  const testable = await testableEntry(c, entry);
  if (!testable.ok) return { ok: false, status: 400, ms: 0, fault: testable.fault };
  return await services.testEntry(c.var.viewer.scope, testable.entry);
}

/** The model that was chosen for the first answer, among those of the test, or typed where there are none. */
export function chosenModel(
  form: URLSearchParams,
  models: readonly ListedModel[],
): ListedModel | undefined {
  const typed = field(form, "model_id");
  const id = typed === "" ? field(form, "model") : typed;
  const found = models.find(({ info }) => info.id === id);
  if (found !== undefined || id === "") return found;
  const [first] = models;
  return first && { ...first, info: { id } };
}
