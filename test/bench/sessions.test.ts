/** The parts of the benchmark of sessions: caches, models that fail, paused time, intervals. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { figureOf } from "../../scripts/sessions/figures.ts";
import { PausedTime } from "../../scripts/sessions/paused-time.ts";
import { keptPhrases } from "../../scripts/sessions/phrases/kept.ts";
import { tuningPhrases } from "../../scripts/sessions/phrases/tuning.ts";
import { planSession } from "../../scripts/sessions/plan-session.ts";
import { PromptCaches } from "../../scripts/sessions/prompt-cache.ts";
import { sentAgain } from "../../scripts/sessions/sent-again.ts";
import { type Failure, Work, type WorkPlan } from "../../scripts/sessions/work.ts";
import type { Ability } from "../../scripts/sessions/model-sets.ts";

const prices = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 };
const asked = { conversation: "a", model: "m", prices };
const block = (text: string, marked: boolean) => ({ text: text.repeat(2000), marked });

describe("caches of prompts", () => {
  it("a prefix that a mark ended is read again for five minutes", () => {
    let now = 0;
    const caches = new PromptCaches(() => now);
    const first = caches.bill(asked, [block("tools", false), block("ask", true)], 10);
    expect(first).toMatchObject({ uncached: 0, read: 0, written: 4000, output: 10 });
    expect(first.usd).toBeCloseTo((4000 * 12.5 + 10 * 50) / 1e6);
    const longer = [block("tools", false), block("ask", false), block("more", true)];
    now += 299_000;
    expect(caches.bill(asked, longer, 10)).toMatchObject({ read: 4000, written: 2000 });
    now += 301_000;
    expect(caches.bill(asked, longer, 10)).toMatchObject({ read: 0, written: 6000 });
  });

  it("another model, another conversation and a changed beginning have nothing of it", () => {
    const caches = new PromptCaches(() => 0);
    const prompt = [block("tools", false), block("ask", true)];
    caches.bill(asked, prompt, 0);
    expect(caches.bill({ ...asked, model: "n" }, prompt, 0).read).toBe(0);
    expect(caches.bill({ ...asked, conversation: "b" }, prompt, 0).read).toBe(0);
    expect(caches.bill(asked, [block("other", false), block("ask", true)], 0).read).toBe(0);
  });

  it("what is short or bears no mark is not kept", () => {
    const caches = new PromptCaches(() => 0);
    const short = [{ text: "x".repeat(4000), marked: true }];
    caches.bill(asked, short, 0);
    expect(caches.bill(asked, short, 0)).toMatchObject({ uncached: 1000, read: 0, written: 0 });
    caches.bill(asked, [block("ask", false)], 0);
    expect(caches.bill(asked, [block("ask", false)], 0)).toMatchObject({ read: 0, written: 0 });
  });
});

const failures: readonly Failure[] = ["tests", "edit", "schema", "search", "claim", "silent"];

function planOf(failure: Failure): WorkPlan {
  const hard = { hardFrom: 4, hardTo: 8, patience: 8 };
  return { seed: 5, need: 2, manner: "changes", steps: 10, failure, ...hard, delegates: [] };
}

/** Lets a model work until it ends. Returns how many turns it took. */
function finish(work: Work, ability: Ability): number {
  for (let turns = 1; turns < 100; turns++) if (work.turn(ability).steps.length === 0) return turns;
  throw new Error("the work does not end");
}

describe("work of scripted models", () => {
  it.each(failures)("%s: a weak model fails, a stronger one repairs and ends", (failure) => {
    const work = new Work(planOf(failure));
    finish(work, 1);
    expect(work.standing).toBe(failure === "silent" ? "unnoticed" : "shown");
    work.again();
    finish(work, 1);
    expect(work.standing).not.toBe("right");
    work.again();
    finish(work, 2);
    expect(work.standing).toBe("right");
  });

  it.each(failures)("%s: a stronger model that takes over halfway ends it", (failure) => {
    const work = new Work(planOf(failure));
    for (let turn = 0; turn < 8; turn++) work.turn(1);
    finish(work, 3);
    expect(work.standing).toBe("right");
  });

  it.each(failures)("%s: a model that suffices is right at once", (failure) => {
    const work = new Work(planOf(failure));
    finish(work, 2);
    expect(work.standing).toBe("right");
  });
});

it("the same seed gives the same session, whatever was played before", () => {
  const first = planSession(3, 7, tuningPhrases);
  planSession(3, 8, tuningPhrases);
  expect(planSession(3, 7, tuningPhrases)).toEqual(first);
  expect(planSession(4, 7, tuningPhrases)).not.toEqual(first);
});

it("no words of the published table are those of tuning", () => {
  const said = (phrases: object): string[] =>
    Object.values(phrases)
      .flat(2)
      .map((text: string) => text.toLowerCase());
  const tuning = new Set(said(tuningPhrases));
  expect(said(keptPhrases).filter((text) => tuning.has(text))).toEqual([]);
});

it("time goes forward when all sessions that are left pause", async () => {
  const events: string[] = [];
  const time = new PausedTime(2, () => {
    events.push("skip");
    return Promise.resolve();
  });
  const task = (name: string, pauses: number) => async (pause: () => Promise<void>) => {
    for (let at = 0; at < pauses; at++) {
      events.push(`${name}${at}`);
      await pause();
    }
    events.push(`${name} ends`);
  };
  await time.run([task("a", 2), task("b", 0), task("c", 1)]);
  expect(events).toEqual(["a0", "b ends", "c0", "skip", "a1", "c ends", "skip", "a ends"]);
});

it("an interval holds the figure, and is narrower with more sessions", () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at % 10);
  const mean = (drawn: readonly number[]): number =>
    drawn.reduce((sum, number) => sum + number, 0) / drawn.length;
  const few = figureOf(numbers(10), mean);
  const many = figureOf(numbers(1000), mean);
  expect(few.value).toBe(4.5);
  expect(few.low).toBeLessThan(4.5);
  expect(few.high).toBeGreaterThan(4.5);
  expect(many.high - many.low).toBeLessThan((few.high - few.low) / 3);
});

describe("a request that meets a closed connection", () => {
  /** A server whose first connections end without an answer. */
  const closing = async (closed: number): Promise<{ url: string; server: Server }> => {
    let count = 0;
    const server = createServer((request, response) => {
      if (count++ < closed) request.socket.destroy();
      else response.end("here");
    });
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  };

  it("is sent again, unless it arrived", async () => {
    const { url, server } = await closing(3);
    const arrived = sentAgain(
      () => fetch(url),
      () => true,
    );
    await expect(arrived).rejects.toThrow("fetch failed");
    const answer = await sentAgain(() => fetch(url));
    expect(await answer.text()).toBe("here");
    server.close();
  });

  it("is not sent without end, nor after another error", async () => {
    const { url, server } = await closing(100);
    let sent = 0;
    const send = (): Promise<Response> => {
      sent++;
      return fetch(url);
    };
    await expect(sentAgain(send)).rejects.toThrow("fetch failed");
    expect(sent).toBe(4);
    server.close();
    const failing = (): Promise<never> => Promise.reject(new Error(`${sent++}`));
    await expect(sentAgain(failing)).rejects.toThrow("4");
  });
});
