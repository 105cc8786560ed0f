/** Windows by name, at most so many: unused ones are dropped. */
import type { RateLimit } from "../../policy/limits.ts";
import { newWindow, slide, type Window } from "../rules/window.ts";

/** Milliseconds between two looks for windows that have emptied. */
const sweepInterval = 10_000;

/**
 * What gives way where every place is taken by a name that is in use. `share`: new names share one window, so that
 * who comes with ever new names gains nothing. `oldest`: the window unused for the longest time is forgotten, so
 * that nobody is refused for what others did.
 */
export type WhenFull = "share" | "oldest";

/** The name of the window that is shared where the map is full. */
const sharedName = "*";

export interface WindowMapOptions {
  readonly limit: RateLimit;
  /** Windows that are kept. */
  readonly most: number;
  readonly whenFull: WhenFull;
}

/** A bounded map of windows, in the order of their last use. */
export class WindowMap {
  readonly #options: WindowMapOptions;
  readonly #windows = new Map<string, Window>();
  #swept = 0;

  constructor(options: WindowMapOptions) {
    this.#options = options;
  }

  /** Windows that are held now. */
  get size(): number {
    return this.#windows.size;
  }

  /** The name's window as it is now, made where there is none. */
  use(name: string, now: number): Window {
    if (now - this.#swept >= sweepInterval) this.sweep(now);
    const known = this.#windows.get(name) ?? this.#made(name, now);
    slide(known, now);
    return known;
  }

  /** The window in which a request of that name was counted; undefined when it is gone. */
  find(name: string): Window | undefined {
    return this.#windows.get(name) ?? this.#windows.get(sharedName);
  }

  /** A window with what it counted before. */
  restore(name: string, times: number[]): void {
    if (this.#windows.size < this.#options.most)
      this.#windows.set(name, newWindow(this.#options.limit, times));
  }

  /** Drops one window. */
  forget(name: string): void {
    this.#windows.delete(name);
  }

  /** Drops the windows that have emptied. */
  sweep(now: number): void {
    this.#swept = now;
    for (const [name, window] of this.#windows) {
      slide(window, now);
      if (window.times.length === 0) this.#windows.delete(name);
    }
  }

  /** Every window with its name, least lately made first. */
  entries(): Iterable<[string, Window]> {
    return this.#windows;
  }

  #made(name: string, now: number): Window {
    const { most, whenFull, limit } = this.#options;
    if (this.#windows.size >= most) {
      if (whenFull === "share") return this.#shared();
      this.#dropOldest(now);
    }
    const window = newWindow(limit);
    this.#windows.set(name, window);
    return window;
  }

  #shared(): Window {
    let window = this.#windows.get(sharedName);
    if (window === undefined)
      this.#windows.set(sharedName, (window = newWindow(this.#options.limit)));
    return window;
  }

  /** Idle windows first; a tenth at once, so that a full map is not gone through for every new name. */
  #dropOldest(now: number): void {
    this.sweep(now);
    const surplus = this.#windows.size - Math.floor(this.#options.most * 0.9);
    if (surplus <= 0) return;
    const byLastUse = [...this.#windows].sort(([, a], [, b]) => lastUse(a) - lastUse(b));
    for (const [name] of byLastUse.slice(0, surplus)) this.#windows.delete(name);
  }
}

function lastUse(window: Window): number {
  return window.times.at(-1) ?? 0;
}
