/** Changes to a list of limits, of whomever: reading the form, adding, replacing, removing. */
import { configConflict } from "../../admin/shared/errors.ts";
import type { Problem } from "../../core/problem.ts";
import { sameJson } from "../../lib/json.ts";
import type { LimitEntry } from "../../store/config.ts";
import { fieldProblem, type FieldError, field, formOf, tryChange } from "./forms.ts";
import { lastLimitChange, type LimitTarget } from "./limit-undo.ts";
import type { PageApp, PageContext } from "./page-context.ts";

/** Where a list of limits is kept and shown. */
export interface LimitPlace {
  /** Replaces the list by what `change` makes of it. */
  edit(c: PageContext, change: (limits: readonly LimitEntry[]) => LimitEntry[]): Promise<unknown>;
  /** The page of the list again, with the refused form. */
  show(c: PageContext, refused: RefusedLimit): Promise<Response>;
  /** The address of that page. */
  page(c: PageContext): string;
  /** Limits that are not in the document, whose history then does not take the change back. */
  apart?: (c: PageContext) => LimitTarget;
}

/** Names of what the page says afterwards. */
const doneNames = {
  document: { saved: "saved", removed: "deleted" },
  apart: { saved: "limit", removed: "limit-removed" },
} as const;

function doneNamesOf({ apart }: LimitPlace): { saved: string; removed: string } {
  return doneNames[apart === undefined ? "document" : "apart"];
}

/** Whether a change of such limits was made just before; only whoever made one may read of it. */
export function isLimitDone(done: string | undefined): boolean {
  return done === doneNames.apart.saved || done === doneNames.apart.removed;
}

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
    return c.redirect(`${place.page(c)}?done=${doneNamesOf(place).saved}`, 303);
  });
  const { apart } = place;
  if (apart !== undefined) registerUndo(app, path, { ...place, apart });
  app.post(`${path}/delete`, async (c) => {
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() =>
      place.edit(c, (limits) => withoutLimit(limits, field(form, "limit"))),
    );
    if (!outcome.ok)
      return await place.show(c, { form: new URLSearchParams(), error: outcome.error });
    return c.redirect(`${place.page(c)}?done=${doneNamesOf(place).removed}`, 303);
  });
}

function registerUndo(
  app: PageApp,
  path: string,
  place: LimitPlace & { apart: (c: PageContext) => LimitTarget },
): void {
  app.post(`${path}/undo`, async (c) => {
    const outcome = await tryChange(async () => {
      const change = await lastLimitChange(c.var.viewer.scope, place.apart(c));
      await place.edit(c, (limits) => {
        if (change === undefined || !areSame(limits, change.after)) throw notUndone();
        return change.before;
      });
    });
    if (outcome.ok) return c.redirect(`${place.page(c)}?done=limit-undone`, 303);
    return await place.show(c, { form: new URLSearchParams(), error: outcome.error });
  });
}

function areSame(limits: readonly LimitEntry[], others: readonly LimitEntry[]): boolean {
  return sameJson(limits.map(limitKey), others.map(limitKey));
}

function notUndone(): Problem {
  return configConflict("These limits were changed again. Nothing was undone.");
}

function goneMeanwhile(): Problem {
  return configConflict("This limit was changed or removed in the meantime. Nothing was saved.");
}

/** Identifies a limit, which has no id, by its members. */
export function limitKey({ metric, period, max, action, strict }: LimitEntry): string {
  const kind = strict === "bound" ? ["bound"] : strict === true ? ["strict"] : [];
  return [metric, period, max, action, ...kind].join(" ");
}

/**
 * The list with `limit` in the place of the one of that key, or at the end where none is meant. Throws 409 where it is
 * gone, and 400 where there is one like it already: nobody could tell the two apart.
 */
export function withLimit(
  limits: readonly LimitEntry[],
  replaced: string,
  limit: LimitEntry,
): LimitEntry[] {
  const at = replaced === "" ? limits.length : placeOf(limits, replaced);
  if (limits.some((one, place) => place !== at && limitKey(one) === limitKey(limit)))
    throw fieldProblem("max", "there is a limit like this already");
  return limits.toSpliced(at, 1, limit);
}

/** The list without the one of that key. Throws 409 where it is gone. */
function withoutLimit(limits: readonly LimitEntry[], removed: string): LimitEntry[] {
  return limits.toSpliced(placeOf(limits, removed), 1);
}

function placeOf(limits: readonly LimitEntry[], key: string): number {
  const at = limits.findIndex((limit) => limitKey(limit) === key);
  if (at < 0) throw goneMeanwhile();
  return at;
}

/** The limit that a form describes; throws what is wrong with its number. */
export function limitFromForm(form: URLSearchParams): LimitEntry {
  const text = field(form, "max");
  const max = Number(text.replace(",", "."));
  if (text === "" || !Number.isFinite(max) || max < 0)
    throw fieldProblem("max", "enter a number, 0 or more");
  const metric = field(form, "metric");
  if (metric !== "cost" && !Number.isInteger(max))
    throw fieldProblem("max", `enter a whole number of ${metric}`);
  // The other members are checked where the list is saved.
  return {
    metric,
    period: field(form, "period"),
    action: field(form, "action"),
    max,
    ...strictnessFrom(form, metric),
  } as LimitEntry;
}

function strictnessFrom(form: URLSearchParams, metric: string): Pick<LimitEntry, "strict"> {
  if (form.has("bound") && metric !== "requests") return { strict: "bound" };
  return form.has("strict") && metric === "cost" ? { strict: true } : {};
}
