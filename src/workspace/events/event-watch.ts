/** Sees in what is booked what people are to be told: limits, the quota, providers. Memory only; events go with the batch. */
import type { BudgetRefusal } from "../../policy/refusal.ts";
import type { WorkspaceEvent } from "../contract/events.ts";
import type { AttemptRecord } from "../contract/request-record.ts";
import { type LimitState, maximumOf } from "../rules/budget.ts";
import { type Cooling, coolingUntil, hasFailedOften } from "../rules/cooldown.ts";
import { toDollars } from "../rules/sums/cost.ts";
import { type LimitLevel, levelOf } from "../rules/limit-levels.ts";
import { limitStates } from "../rules/limit-states.ts";
import { limitedNodes } from "../rules/limit-view.ts";
import { monthAfter, monthAt } from "../rules/month.ts";
import { nodeOf, type SpendPath } from "../rules/nodes.ts";
import { healthAfter, type ProviderHealth } from "../rules/events/provider-health.ts";
import type { WorkspaceState } from "../rules/state.ts";
import type { NewEvent } from "../storage/tables/events.ts";
import type { EventLog } from "./event-log.ts";
import type { Told } from "./told.ts";

const notFound = 404;
const tooManyRequests = 429;

/** What watching reads and writes. */
export interface WatchContext {
  state: WorkspaceState;
  told: Told;
  log: EventLog;
  /** E-mail address of a person, as far as it is known here. */
  emailOf: (person: string) => string | undefined;
  /** Has it done in the transaction of the next batch. */
  withBatch: (write: (sql: SqlStorage) => void) => void;
}

/** How far a limit or quota is used in its period, and under which names that is noted as told. */
interface ToldLevel {
  level: LimitLevel | undefined;
  nameOf: (level: LimitLevel) => string;
  /** Of the period. */
  value: string;
}

/** Whose limit refused a request. */
export interface RefusedOn {
  /** Of the node. */
  name: string;
  path: SpendPath;
  now: number;
}

/** Reports each event once. */
export class EventWatch {
  readonly #context: WatchContext;
  /** Of those that failed, by id. */
  readonly #providers: Map<string, ProviderHealth>;
  /** The two models of each provider that answered last, the newest first; with the time, epoch ms. */
  readonly #lastAnswers = new Map<string, { readonly model: string; time: number }[]>();

  constructor(context: WatchContext) {
    this.#context = context;
    this.#providers = readProviders(context.told);
    this.#forgetGone();
  }

  /** A request was booked under these limits. */
  booked(limits: readonly LimitState[], now: number): void {
    for (const limit of limits) this.#limit(limit, { refused: false, now });
    this.quota(now);
  }

  /** A limit refused a request. Where others are under way it may not be used up: then what they cost decides. */
  refused({ metric, period, limit: max }: BudgetRefusal, { name, path, now }: RefusedOn): void {
    const { state, told } = this.#context;
    const action = "block";
    const known = told.get(limitName("reached", { name, entry: { metric, period, max, action } }));
    if (known === String(state.calendar.span(period, now).start)) return;
    const limit = limitStates(state, path, now).find(
      ({ entry, name: of }) =>
        of === name &&
        entry.metric === metric &&
        entry.period === period &&
        entry.max === max &&
        entry.action === action,
    );
    if (limit !== undefined) this.#limit(limit, { refused: limit.reserved === 0, now });
  }

  /** Compares the month with the quota. */
  quota(now: number): void {
    const { monthlyRequests: max, month } = this.#context.state;
    if (max === null) return;
    const { start, requests: used } = monthAt(month, now);
    const level = levelOf({ used, max, refused: used >= max });
    const nameOf = (of: LimitLevel): string => `quota ${of}`;
    this.#tellLevel({ level, nameOf, value: `${start} ${max}` }, (told) => {
      const resets_at = new Date(monthAfter(now)).toISOString();
      const data = { monthly_requests: max, used, resets_at };
      return { type: `quota.${told}`, time: now, data };
    });
  }

  /** An attempt was recorded. */
  attempted({ model, outcome, status }: AttemptRecord, now: number): void {
    if (outcome === "ok") this.#answered(model, now);
    if (outcome === "neutral" || (outcome === "ok" && this.#providers.size === 0)) return;
    // Clients may name any model: that there is none says nothing of the provider.
    if (status === notFound) return;
    const id = providerOf(model);
    const before = this.#providers.get(id);
    const isFailing = failsNow(this.#context.state.cooling, { model, status }, now);
    const otherAnswered = this.#lastAnswers.get(id)?.find((answer) => answer.model !== model)?.time;
    const seen = { model, outcome, status, isFailing, otherAnswered, now };
    const after = healthAfter(before, seen);
    if (after === undefined || after === before) return;
    this.#providers.set(id, after);
    if (after.told !== (before?.told ?? "up")) this.#tellHealth(id, after, now);
  }

  /** Ids of the providers that are down, as people were told. */
  down(): string[] {
    return [...this.#providers].filter(([, { told }]) => told === "down").map(([id]) => id);
  }

  /** Those of them whose other models answer. */
  downInPart(): string[] {
    const isInPart = (id: string): boolean => this.#providers.get(id)?.othersAnswer === true;
    return this.down().filter(isInPart);
  }

  /** Of each provider two models suffice: one that fails is compared with the other. */
  #answered(model: string, time: number): void {
    const id = providerOf(model);
    const [newest] = this.#lastAnswers.get(id) ?? [];
    if (newest?.model === model) newest.time = time;
    else this.#lastAnswers.set(id, [{ model, time }, ...(newest === undefined ? [] : [newest])]);
  }

  /** The document, keys or persons changed: forgets what was reported about limits and providers that no longer exist. */
  changed(): void {
    this.#forgetGone();
  }

  #limit(state: LimitState, { refused, now }: { refused: boolean; now: number }): void {
    const { entry, spent, start } = state;
    const level = levelOf({ used: spent, max: maximumOf(entry), refused });
    const nameOf = (of: LimitLevel): string => limitName(of, state);
    this.#tellLevel({ level, nameOf, value: String(start) }, (told) => ({
      type: `limit.${told}`,
      time: now,
      data: this.#limitData(state),
    }));
  }

  /** What was told as reached is near no more: it may have refused before 80 % were spent. */
  #tellLevel({ level, nameOf, value }: ToldLevel, makeEvent: (level: LimitLevel) => NewEvent) {
    if (level === undefined) return;
    if (level === "near" && this.#context.told.get(nameOf("reached")) === value) return;
    this.#tell({ name: nameOf(level), value }, () => makeEvent(level));
  }

  /** The name of a key or a person, and the address of a key's page; nothing for other nodes, or if unknown. */
  #ownerFacts({ node, id }: ReturnType<typeof nodeOf>): WorkspaceEvent["data"] {
    const { state, emailOf } = this.#context;
    if (node === "person") {
      const name = emailOf(id);
      return name === undefined ? {} : { name };
    }
    const key = node === "key" ? state.keysById.get(id) : undefined;
    return key === undefined ? {} : { name: key.name, harness: key.harness, last4: key.last4 };
  }

  #limitData({ entry, name, spent, end }: LimitState): WorkspaceEvent["data"] {
    const { metric, period, max, action, strict = false } = entry;
    const owner = nodeOf(name);
    return {
      ...owner,
      ...this.#ownerFacts(owner),
      metric,
      period,
      max,
      used: metric === "cost" ? toDollars(spent) : spent,
      action,
      ...(strict !== false && { strict: true }),
      resets_at: new Date(end).toISOString(),
    };
  }

  #tellHealth(id: string, health: ProviderHealth, now: number): void {
    const { model, status, since, told, othersAnswer } = health;
    const data = {
      provider: id,
      model,
      status,
      since: new Date(since).toISOString(),
      ...(othersAnswer && { others_answer: true }),
    };
    const value = JSON.stringify(health);
    const type = `provider.${told}` as const;
    this.#tell({ name: `provider ${id}`, value }, () => ({ type, time: now, data }));
  }

  /** Unless it was told with this value already. */
  #tell({ name, value }: { name: string; value: string }, makeEvent: () => NewEvent): void {
    const { told, log, withBatch } = this.#context;
    if (told.get(name) === value) return;
    const event = makeEvent();
    const write = told.set(name, value);
    withBatch((sql) => {
      write(sql);
      log.add(event);
    });
  }

  #forgetGone(): void {
    const { told, state, withBatch } = this.#context;
    const limits = told.names("limit ");
    const current = limits.length === 0 ? new Set() : limitNames(state);
    const providers = new Set((state.snapshot.config.providers ?? []).map(({ id }) => id));
    const goneProviders = [...this.#providers.keys()].filter((id) => !providers.has(id));
    for (const id of goneProviders) this.#providers.delete(id);
    for (const id of this.#lastAnswers.keys()) if (!providers.has(id)) this.#lastAnswers.delete(id);
    const gone = [
      ...limits.filter((name) => !current.has(name)),
      ...goneProviders.map((id) => `provider ${id}`).filter((name) => told.get(name) !== undefined),
    ];
    for (const name of gone) withBatch(told.set(name, undefined));
  }
}

function limitName(
  level: LimitLevel,
  { name, entry: { metric, period, max, action } }: Pick<LimitState, "name" | "entry">,
): string {
  return ["limit", level, name, metric, period, max, action].join(" ");
}

function limitNames(state: WorkspaceState): Set<string> {
  const levels = ["near", "reached"] as const;
  return new Set(
    limitedNodes(state).flatMap(({ name, limits }) =>
      limits.flatMap((entry) => levels.map((level) => limitName(level, { name, entry }))),
    ),
  );
}

/** Whether the model is cooling down. A pause that the provider wants because of its rate limit is no failure yet. */
function failsNow(
  cooling: Cooling,
  { model, status }: Pick<AttemptRecord, "model" | "status">,
  now: number,
): boolean {
  if (coolingUntil(cooling, model, now) === undefined) return false;
  return status !== tooManyRequests || hasFailedOften(cooling, model);
}

/** Of `<provider>/<model>`. */
function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}

function readProviders(told: Told): Map<string, ProviderHealth> {
  const names = told.names("provider ");
  return new Map(
    names.map((name) => [
      name.slice("provider ".length),
      // Written by EventWatch above.
      JSON.parse(told.get(name) ?? "{}") as ProviderHealth,
    ]),
  );
}
