/**
 * Whether this isolate can serve, for load balancers (`GET /readyz`): KV can be read, and an object writes. Strangers may
 * ask, so the outcome is remembered, and each check has a time-out.
 */
import type { Clock } from "../lib/clock.ts";
import type { Env } from "../store/env.ts";
import { readinessName } from "../store/kv-names.ts";
import { calling, directoryStub } from "../workspace/remote.ts";
import { StorageFailingError, storageFault } from "../workspace/storage/storage-fault.ts";
import { unwritten } from "../workspace/storage/unwritten.ts";
import type { Drain } from "./isolate/drain.ts";
import type { WaitUntil } from "./services.ts";

type CheckName = "settings" | "kv" | "objects";

/** The answer's body. */
export interface ReadinessReport {
  readonly status: "ok" | "draining" | "unavailable";
  /** The first check that failed. */
  readonly failed?: CheckName;
  /** What is wrong, in plain words; never a value. */
  readonly message?: string;
  readonly checks: Readonly<Partial<Record<CheckName, "ok" | "failed">>>;
}

/** Checks of what the gateway depends on; each rejects if it fails. */
export type Probes = Readonly<Record<"kv" | "objects", () => Promise<unknown>>>;

/** How long one check may take, and how long its outcome is remembered; ms. */
const patience = 2000;
const reportLife = 5000;
/** After so long a check that was begun for a request is begun anew: that request may have been cut. ms */
const abandoned = patience + 1000;
/** How often it is looked whether the check of another request has ended; ms. */
const glance = 50;

const words: Readonly<Record<CheckName, string>> = {
  settings: "A setting or a secret is missing or wrong. The gateway's log says which one.",
  kv: "KV cannot be read.",
  objects: "No object can write.",
};

/** Of a deployment that serves nothing because of its settings. */
export const notConfiguredReport: ReadinessReport = {
  status: "unavailable",
  failed: "settings",
  message: words.settings,
  checks: { settings: "failed" },
};

const drainingReport: ReadinessReport = {
  status: "draining",
  message: "This process is shutting down.",
  checks: {},
};

/** 200, or 503 with `Retry-After`. */
export function answerReadiness(report: ReadinessReport): Response {
  const headers = { "Cache-Control": "no-store" };
  if (report.status === "ok") return Response.json(report, { headers });
  return Response.json(report, {
    status: 503,
    headers: { ...headers, "Retry-After": String(reportLife / 1000) },
  });
}

/** The probes of a deployment. */
export function probesOf(env: Env): Probes {
  return {
    kv: () => env.KV.get(readinessName),
    objects: () =>
      calling(
        () => directoryStub(env),
        (stub) => stub.proveWrite(),
      )
        .catch(passWhereOlder)
        .then(refuseWhereFailing),
  };
}

/** One object can write, and another may not: each has its own file. */
function refuseWhereFailing(): void {
  if (unwritten.isFailing) throw new StorageFailingError();
}

/** While a release rolls out, the object may be of the version before: it answered, and it opened its database. */
function passWhereOlder(error: unknown): void {
  if (!String(error).includes("does not implement")) throw error;
}

/** The isolate's readiness, asked at most every few seconds however many requests want to know it. */
export class Readiness {
  readonly #probes: Probes;
  readonly #drain: Drain;
  readonly #now: Clock;
  #known: ReadinessReport | undefined;
  #freshUntil = 0;
  #askedUntil = 0;

  constructor({ probes, drain, now }: { probes: Probes; drain: Drain; now: Clock }) {
    this.#probes = probes;
    this.#drain = drain;
    this.#now = now;
  }

  /** Answers at once where anything is known; `background` lets the check end where its request is cut. */
  async report(background: WaitUntil): Promise<ReadinessReport> {
    if (this.#drain.announced()) return drainingReport;
    if (this.#now() >= Math.max(this.#freshUntil, this.#askedUntil)) {
      const asked = this.#ask();
      background(asked);
      return await asked;
    }
    return this.#known ?? (await this.#answerOfAnother());
  }

  async #ask(): Promise<ReadinessReport> {
    this.#askedUntil = this.#now() + abandoned;
    const [kv, objects] = await Promise.all([
      outcomeOf("kv", this.#probes.kv),
      outcomeOf("objects", this.#probes.objects),
    ]);
    const report = reportOf({ kv: kv.outcome, objects: objects.outcome }, objects.cause);
    this.#known = report;
    this.#freshUntil = this.#now() + reportLife;
    this.#askedUntil = 0;
    return report;
  }

  /** A promise of one request must not be awaited by another in this runtime. */
  async #answerOfAnother(): Promise<ReadinessReport> {
    while (this.#known === undefined && this.#now() < this.#askedUntil)
      await new Promise((resolve) => setTimeout(resolve, glance));
    return this.#known ?? reportOf({ kv: "failed", objects: "failed" });
  }
}

type CheckOutcome = "ok" | "failed";

/** `cause`: what the disk has, in plain words. */
interface Checked {
  readonly outcome: CheckOutcome;
  readonly cause?: string | undefined;
}

async function outcomeOf(name: CheckName, probe: () => Promise<unknown>): Promise<Checked> {
  try {
    await inTime(probe);
    return { outcome: "ok" };
  } catch (error) {
    console.error(`not ready (${name}): ${String(error)}`);
    return { outcome: "failed", cause: storageFault(error) };
  }
}

/** Rejects where the probe fails or takes longer than it may. */
function inTime(probe: () => Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const tooLate = new Error(`no answer within ${patience / 1000} s`);
    const timer = setTimeout(() => reject(tooLate), patience);
    void probe()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Requests are served by settings that were checked. */
function reportOf(
  outcomes: Readonly<Record<"kv" | "objects", CheckOutcome>>,
  cause?: string,
): ReadinessReport {
  const checks = { settings: "ok", ...outcomes } as const;
  const failed = (["kv", "objects"] as const).find((name) => checks[name] === "failed");
  if (failed === undefined) return { status: "ok", checks };
  const message =
    failed === "objects" && cause !== undefined ? `Storage fails: ${cause}.` : words[failed];
  return { status: "unavailable", failed, message, checks };
}
