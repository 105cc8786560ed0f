/** Changes to a list of limits, of whomever: reading the form, adding, replacing, removing. */
import type { LimitEntry } from "../../store/config.ts";
import { fieldProblem, type FieldError, field, formOf, tryChange } from "./forms.ts";
import type { PageApp, PageContext } from "./page-context.ts";

/** Where a list of limits is kept and shown. */
export interface LimitPlace {
  /** Replaces the list by what `change` makes of it. */
  edit(c: PageContext, change: (limits: readonly LimitEntry[]) => LimitEntry[]): Promise<unknown>;
  /** The page of the list again, with the refused form. */
  show(c: PageContext, refused: RefusedLimit): Promise<Response>;
  /** The address of that page. */
  page(c: PageContext): string;
  /** `apart`: not in the document, so that its history does not take the change back. */
  kept: "document" | "apart";
}

/** Names of what the page says afterwards. */
const doneNames = {
  document: { saved: "saved", removed: "deleted" },
  apart: { saved: "limit", removed: "limit-removed" },
} as const;

/** A limit that could not be saved. */
export interface RefusedLimit {
  form: URLSearchParams;
  error: FieldError;
}

/** Registers saving under `path`, with `limit` in the form for the one to replace, and removing under `path/delete`. */
export function registerLimits(app: PageApp, path: string, place: LimitPlace): void {
  app.post(path, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const limit = limitFromForm(form);
      return place.edit(c, (limits) => withLimit(limits, field(form, "limit"), limit));
    });
    if (!outcome.ok) return await place.show(c, { form, error: outcome.error });
    return c.redirect(`${place.page(c)}?done=${doneNames[place.kept].saved}`, 303);
  });
  app.post(`${path}/delete`, async (c) => {
    const removed = field(await formOf(c.req.raw), "limit");
    await place.edit(c, (limits) => limits.filter((limit) => limitKey(limit) !== removed));
    return c.redirect(`${place.page(c)}?done=${doneNames[place.kept].removed}`, 303);
  });
}

/** Identifies a limit, which has no id, by its members. */
export function limitKey({ metric, period, max, action, strict }: LimitEntry): string {
  return [metric, period, max, action, ...(strict === true ? ["strict"] : [])].join(" ");
}

/** The list with `limit` in the place of the one of that key, or at the end where there is none. */
export function withLimit(
  limits: readonly LimitEntry[],
  replaced: string,
  limit: LimitEntry,
): LimitEntry[] {
  const at = limits.findIndex((one) => limitKey(one) === replaced);
  return at < 0 ? [...limits, limit] : limits.with(at, limit);
}

/** The limit that a form describes; throws what is wrong with its number. */
export function limitFromForm(form: URLSearchParams): LimitEntry {
  const text = field(form, "max");
  const max = Number(text.replace(",", "."));
  if (text === "" || !Number.isFinite(max) || max < 0)
    throw fieldProblem("max", "enter a number, 0 or more");
  const metric = field(form, "metric");
  // The other members are checked where the list is saved.
  return {
    metric,
    period: field(form, "period"),
    action: field(form, "action"),
    max,
    ...(form.has("strict") && metric === "cost" && { strict: true }),
  } as LimitEntry;
}
