/** Lists of any length. */

/** Adds to a list, in place. Spreading into `push` would put every item on the stack: a hundred thousand overflow it. */
export function appendAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

/** `list.flatMap(each)` for lists that every request has: the engine's own costs some times as much an item. */
export function flatMapped<T, R>(list: readonly T[], each: (item: T) => readonly R[]): R[] {
  const out: R[] = [];
  for (const item of list) appendAll(out, each(item));
  return out;
}

/** First in, first out: `shift` on a long array moves all that is left. */
export interface Queue<T> {
  add(item: T): void;
  /** The oldest item, or undefined of an empty queue. */
  take(): T | undefined;
}

/** An empty queue. */
export function newQueue<T>(): Queue<T> {
  let items: T[] = [];
  let next = 0;
  return {
    add: (item) => void items.push(item),
    take() {
      const item = items[next];
      if (next < items.length) next++;
      if (next === items.length) {
        items = [];
        next = 0;
      }
      return item;
    },
  };
}
