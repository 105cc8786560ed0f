/** Remembers in this isolate how long whole answers of a model took lately: what the wait for the next may last. */
import type { Clock } from "../lib/clock.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { ProviderEntry } from "../store/config.ts";
import type { Ask, Layer, Started, Upstream } from "./upstream.ts";

/** How many of a model's latest times are kept, and of how many models of an entry. */
const mostTimes = 20;
const mostModels = 1000;

/** Seconds by the provider's model id. A change of the entry forgets them. */
const times = new WeakMap<ProviderEntry, Map<string, number[]>>();

/** Counts time that was waited in vain too: a model that needs more than it got gets more the next time. */
export function rememberTimes(now: Clock): Layer {
  return (next) => (ask) => (ask.request.description.stream ? next(ask) : timed(ask, next, now));
}

async function timed(ask: Ask, next: Upstream, now: Clock): Promise<Started> {
  const begun = now();
  const started = await next(ask);
  if (started.kind === "whole" || timedOut(started))
    remember(ask.candidates[0], (now() - begun) / 1000);
  return started;
}

function timedOut(started: Started): boolean {
  return started.kind === "failed" && started.failures[0].failure.cause === "timeout";
}

function remember({ connection, info }: ListedModel, seconds: number): void {
  let models = times.get(connection.entry);
  if (models === undefined) times.set(connection.entry, (models = new Map()));
  let latest = models.get(info.id);
  if (latest === undefined) {
    if (models.size >= mostModels) models.clear();
    models.set(info.id, (latest = []));
  }
  if (latest.length === mostTimes) latest.shift();
  latest.push(seconds);
}

/** The longest of the latest times, in seconds; 0 where none is known. */
export function longestWhole({ connection, info }: ListedModel): number {
  return Math.max(0, ...(times.get(connection.entry)?.get(info.id) ?? []));
}
