/** The address of the log's page: what it shows can be shared, changed filter by filter, and is never nonsense. */
import { describe, expect, it } from "vitest";
import { RequestFilters } from "../../src/dashboard/pages/requests/request-filters.tsx";
import {
  fieldTime,
  logAddress,
  queryOfView,
  readLogView,
  withFilter,
  withoutEmptyFields,
} from "../../src/dashboard/pages/requests/log-address.ts";
import { holderNames } from "../../src/dashboard/shared/page-context.ts";

const now = { now: Date.UTC(2026, 0, 2), timezone: "UTC" };
const view = (search: string) => readLogView(new URLSearchParams(search));

describe("an address of the log", () => {
  it("asks for what it says, several tags too", () => {
    const search =
      "outcome=failed,blocked&tag=a=b&tag=c&min_cost=0.5&before=x&from=2026-01-01T10:00";
    expect(queryOfView(view(search), now)).toEqual({
      outcome: "failed,blocked",
      tag: ["a=b", "c"],
      min_cost: "0.5",
      before: "x",
      from: "2026-01-01T10:00:00.000Z",
    });
    expect(queryOfView(view("span=24h&q="), now)).toEqual({ from: "2026-01-01T00:00:00.000Z" });
    expect(queryOfView(view("span=24h&from=2025-01-01T00:00:00Z"), now)).toEqual({
      from: "2025-01-01T00:00:00Z",
    });
  });

  it("means times of the workspace's clock where they name no zone", () => {
    const berlin = { ...now, timezone: "Europe/Berlin" };
    expect(queryOfView(view("from=2026-07-01T10:00&to=2026-01-01T10:00"), berlin)).toEqual({
      from: "2026-07-01T08:00:00.000Z",
      to: "2026-01-01T09:00:00.000Z",
    });
    expect(queryOfView(view("from=2026-07-01T10:00:00Z"), berlin)).toEqual({
      from: "2026-07-01T10:00:00Z",
    });
    expect(fieldTime("2026-07-01T10:00:00Z", "Europe/Berlin")).toBe("2026-07-01T12:00");
    expect(fieldTime("2026-07-01T10:00", "Europe/Berlin")).toBe("2026-07-01T10:00");
  });

  it("names what it leaves out", () => {
    const { given, ignored } = view(
      "outcome=good&span=constructor&tag=UP&q=x&min_cost=-1&nothing=1",
    );
    expect(given).toEqual([["q", "x"]]);
    expect(ignored.map(([name]) => name)).toEqual(["outcome", "tag", "span", "min_cost"]);
  });

  it("has no fields that say nothing, as a form sends them", () => {
    const of = (search: string) =>
      withoutEmptyFields(new URL(`http://x/dashboard/requests${search}`));
    expect(of("?q=a%26b&span=&tag=a&tag=&open=req_1&from=+")).toBe(
      "/dashboard/requests?q=a%26b&tag=a&open=req_1",
    );
    expect(of("?q=&span=")).toBe("/dashboard/requests");
    expect(of("?q=x&outcome=failed")).toBeUndefined();
    expect(of("")).toBeUndefined();
  });

  it("says the same when it is written again", () => {
    const { given } = view("q=a%26b%3D%25&tag=a=b&tag=c=d&session=%C3%BC");
    const written = new URL(logAddress(given), "http://x");
    expect(readLogView(written.searchParams).given).toEqual(given);
    expect(logAddress([])).toBe("/dashboard/requests");
  });

  it("changes one filter and keeps the others", () => {
    const { given } = view("outcome=ok&q=x&tag=a&tag=b");
    expect(logAddress(withFilter(given, "outcome", "failed"))).toBe(
      "/dashboard/requests?outcome=failed&q=x&tag=a&tag=b",
    );
    expect(logAddress(withFilter(given, "outcome", ""))).toBe(
      "/dashboard/requests?q=x&tag=a&tag=b",
    );
  });
});

describe("the filters above the log", () => {
  const html = (search: string) =>
    String(RequestFilters({ view: view(search), config: {}, words: holderNames("harness") }));

  it("have a link that takes away each, and keep in the form what has no field", () => {
    const shown = html("outcome=blocked&q=x&tag=a&tag=b");
    for (const rest of ["q=x&amp;tag=a&amp;tag=b", "outcome=blocked&amp;q=x&amp;tag=a"])
      expect(shown).toContain(`href="/dashboard/requests?${rest}"`);
    expect(shown).toContain('<input type="hidden" name="outcome" value="blocked"');
    expect(shown).toContain('<input type="hidden" name="tag" value="b"');
    expect(shown.match(/aria-current/g)).toHaveLength(1);
  });

  it("ask for what people answered, in their words", () => {
    const shown = html("feedback=too_weak");
    expect(shown).toContain('<option value="too_weak" selected="">Too weak</option>');
    expect(shown).toContain('<span class="muted">Feedback</span> too weak');
    expect(queryOfView(view("feedback=too_weak"), { now: 0, timezone: "UTC" })).toMatchObject({
      feedback: "too_weak",
    });
  });

  it("are text, whatever an address says", () => {
    const evil = encodeURIComponent(`"><img src=x onerror=alert(1)>`);
    const shown = html(`q=${evil}&session=${evil}&model=${evil}&from=${evil}&key=${evil}`);
    expect(shown).not.toContain("<img");
    expect(shown).toContain("&lt;img");
  });
});
