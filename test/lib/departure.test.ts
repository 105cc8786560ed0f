import { expect, it } from "vitest";
import { Departure } from "../../src/lib/departure.ts";

it("is told once, to those who ask later too", () => {
  const leaving = new AbortController();
  const departure = new Departure(leaving.signal);
  const told: string[] = [];
  departure.whenever(() => told.push("before"));
  expect(departure.happened).toBe(false);
  leaving.abort();
  departure.happen();
  departure.whenever(() => told.push("after"));
  expect(departure.happened).toBe(true);
  expect(told).toEqual(["before", "after"]);
});

it("has happened where its signal was aborted before", () => {
  expect(new Departure(AbortSignal.abort()).happened).toBe(true);
});

it("is forgotten by a signal that lives longer", () => {
  const leaving = new AbortController();
  const departure = new Departure(leaving.signal);
  departure.whenever(() => expect.unreachable());
  departure.forget();
  leaving.abort();
  expect(departure.happened).toBe(false);
});
