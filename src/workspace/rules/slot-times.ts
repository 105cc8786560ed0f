/**
 * When a slot will be free: from how long requests took lately, how long those under way have been running, and who was
 * told to come back before. In memory only.
 */

/** What is remembered about slots. */
export interface SlotTimes {
  /** How long the last requests held their slots, in ms; the newest last. */
  lasted: number[];
  /** When refused requests were told to come back, epoch ms, by the hash of their key. */
  promised: Map<string, number[]>;
  /** How many wait in the workspace's line, by the hash of their key. */
  waiting: () => ReadonlyMap<string, number>;
}

/** Requests whose times are remembered: enough for a median, few enough to follow a change. */
const remembered = 32;
/** What a request is expected to take before any has ended, in ms. */
const firstGuess = 8000;
/** More than the expected time, so that it is not over a moment too soon. */
const margin = 1.1;
/** Clients treat a longer wait as a permanent refusal; seconds. */
const longestWait = 59;
/** No promise is for later, in ms, but of a clock that was set back. */
const longestPromise = 60_000;
/** Of one key: those that never come back must not put everybody off. */
const mostPromised = 30;
const mostKeys = 500;

/** Nothing remembered. */
export function newSlotTimes(): SlotTimes {
  return { lasted: [], promised: new Map(), waiting: () => new Map() };
}

/** A request gave its slot back after so many ms. */
export function slotLasted({ lasted }: SlotTimes, ms: number): void {
  lasted.push(Math.max(0, ms));
  if (lasted.length > remembered) lasted.shift();
}

/** A refused request, and the slots that are taken. */
export interface SlotQuestion {
  readonly key: string;
  /** When the running requests began, epoch ms. */
  readonly begun: readonly number[];
  readonly slots: number;
  readonly now: number;
}

/** After how many whole seconds (1..59) the request would find a slot. */
export function secondsUntilSlot(times: SlotTimes, question: SlotQuestion): number {
  const { key, begun, slots, now } = question;
  forgetPast(times.promised, now);
  const ahead = fairlyAhead(times, key);
  const freed = begun
    .map((start) => remaining(times.lasted, now - start))
    .toSorted((a, b) => a - b);
  const round = Math.floor(ahead / Math.max(1, slots));
  const wait = (freed[ahead % Math.max(1, slots)] ?? 0) + round * usual(times.lasted);
  return Math.min(longestWait, Math.max(1, Math.ceil((wait * margin) / 1000)));
}

/** A request of the key was told to retry at that time, epoch ms: the next refused request gets a later time. */
export function promiseSlot({ promised }: SlotTimes, key: string, time: number): void {
  const own = promised.get(key) ?? [];
  if (own.length < mostPromised) own.push(time);
  promised.set(key, own);
  const oldest = promised.keys().next().value;
  if (promised.size > mostKeys && oldest !== undefined) promised.delete(oldest);
}

function forgetPast(promised: SlotTimes["promised"], now: number): void {
  for (const [key, times] of promised) {
    const open = times.filter((time) => time > now && time - now <= longestPromise);
    if (open.length === 0) promised.delete(key);
    else if (open.length < times.length) promised.set(key, open);
  }
}

/** Keys take turns: of each other key as many are ahead as of the own one, and one more. */
function fairlyAhead({ promised, waiting }: SlotTimes, key: string): number {
  const expected = new Map(waiting());
  for (const [name, times] of promised)
    expected.set(name, (expected.get(name) ?? 0) + times.length);
  const own = expected.get(key) ?? 0;
  let ahead = own;
  for (const [name, count] of expected) if (name !== key) ahead += Math.min(count, own + 1);
  return ahead;
}

/** How much longer a request of that age is expected to run, from those that took longer, in ms. */
function remaining(lasted: readonly number[], age: number): number {
  const longer = lasted.filter((ms) => ms > age);
  if (longer.length > 0) return median(longer) - age;
  return lasted.length === 0 ? Math.max(firstGuess - age, firstGuess / 2) : age / 2;
}

function usual(lasted: readonly number[]): number {
  return lasted.length === 0 ? firstGuess : median(lasted);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
