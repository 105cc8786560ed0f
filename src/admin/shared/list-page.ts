/** Pages of a list that is read as a whole: `limit` and `before` of the query, `next` of the answer. */
import * as z from "zod";
import { invalid } from "../../core/problem.ts";
import { base64url, fromBase64url } from "../../lib/ids.ts";

/** Most items of a page, and those of one that asks for no number: what most lists have in all. */
const mostItems = 1000;

/** The query of a list's route. */
export const listQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(mostItems).default(mostItems),
  /** The `next` of the page before. */
  before: z.string().max(400).optional(),
});
type ListQuery = z.infer<typeof listQuerySchema>;

/** The answer of a list's route. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item),
    /** For `before`; missing at the end. */
    next: z.string().optional(),
  });
}

interface ListPage<Item> {
  data: Item[];
  next?: string;
}

/** One page of the items in their order; 400 where `before` is no cursor. */
export function pageOfList<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, before }: ListQuery,
): ListPage<Item> {
  const start = before === undefined ? 0 : placeBehind(items, before);
  const data = items.slice(start, start + limit);
  const last = data.at(-1);
  const isEnd = last === undefined || start + limit >= items.length;
  return { data, ...(!isEnd && { next: cursorOf(start + data.length, last.id) }) };
}

/** By the item, wherever it stands by now; by its place where it was removed meanwhile. */
function placeBehind(items: readonly { readonly id: string }[], cursor: string): number {
  const bytes = fromBase64url(cursor);
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  const [, place, id] = /^p(\d{1,9}) (.+)$/s.exec(text) ?? [];
  if (place === undefined) throw invalid("before", "is not a cursor of this list");
  const index = items.findIndex((item) => item.id === id);
  return index < 0 ? Math.max(0, Number(place) - 1) : index + 1;
}

function cursorOf(place: number, id: string): string {
  return base64url(new TextEncoder().encode(`p${place} ${id}`));
}
