/** How every page looks and reads: pictures in three widths, and what axe finds in light and dark. */
import { mkdirSync } from "node:fs";
import axeCore from "axe-core";
import type { Page } from "playwright-core";
import { check, expect, expectSame } from "./report.ts";
import type { Stage } from "./stage.ts";

/** Every page by the name of its picture. */
export function pagesOf(request: string): Record<string, string> {
  return {
    overview: "",
    "overview-tier": "?range=7d&group=tier",
    usage: "/usage",
    "usage-key": "/usage?range=7d&group=key&sort=cost",
    "usage-fault": "/usage?range=custom&from=x&to=y",
    requests: "/requests",
    "requests-filtered": "/requests?status=error",
    "requests-session": "/requests?session=seeded-session",
    "requests-subagent": "/requests?role=subagent",
    "requests-operation": "/requests?model=lab/painter",
    "requests-blocked": "/requests?outcome=blocked",
    request: `/requests/${request}`,
    harnesses: "/harnesses",
    "harness-keys": "/harnesses/default",
    "harness-routing": "/harnesses/default/routing",
    "harness-parameters": "/harnesses/default/parameters",
    "harness-limits": "/harnesses/default/limits",
    "harness-general": "/harnesses/default/general",
    "harness-blocked": "/harnesses/trial/limits",
    "harness-delete": "/harnesses/default/delete",
    providers: "/providers",
    provider: "/providers/lab?test=1",
    "provider-new": "/add-provider?kind=custom",
    models: "/models",
    playground: "/playground",
    replay: `/playground?replay=${request}`,
    search: "/search",
    "search-results": "/search?q=lab",
    "requests-found": "/requests?q=overloaded",
    "requests-open": `/requests?open=${request}`,
    connect: "/connect",
    notices: "/notices",
    webhooks: "/webhooks",
    members: "/members",
    account: "/account",
    workspaces: "/workspaces",
    workspace: "/workspaces/default",
    settings: "/settings",
    "settings-token": "/settings/token",
    history: "/settings/history",
    version: "/settings/history/1",
    audit: "/settings/audit",
    "audit-filtered": "/settings/audit?action=session",
    "not-found": "/nothing-here",
  };
}

export async function look(stage: Stage, request: string): Promise<void> {
  mkdirSync("screenshots", { recursive: true });
  const pages = pagesOf(request);
  for (const [scheme, dark] of [
    ["light", false],
    ["dark", true],
  ] as const) {
    for (const width of dark ? [1280, 390] : [1280, 1024, 390]) {
      const { page, context, problems } = await stage.signedIn({ width, dark });
      for (const [name, path] of Object.entries(pages)) {
        await check(
          `${name}, ${scheme}, ${width} px: reads well and stays within its width`,
          async () => {
            await page.goto(`${stage.gateway.base}/dashboard${path}`);
            await settle(page);
            await page.screenshot({
              path: `screenshots/${name}-${scheme}-${width}.png`,
              fullPage: true,
            });
            await fitsWidth(page);
            await isCalm(page);
            // The widths between show what the others do, cut differently.
            if (width === 1280 || (width === 390 && !dark)) await axe(page);
            expectSame(problems.splice(0), [], "problems");
          },
        );
      }
      await context.close();
    }
  }
}

async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForTimeout(150);
}

/** What moved after it was painted, as browsers measure it; and when the page could be used. */
async function isCalm(page: Page): Promise<void> {
  // A starved browser paints before its style is there: what is a fault of the page's moves at every load.
  const shift = (await movedBy(page)) < 0.01 ? 0 : await page.reload().then(() => movedBy(page));
  expect(shift < 0.01, `the layout shifted by ${shift.toFixed(3)}`);
}

/** The sum of layout shifts since the page was loaded. */
async function movedBy(page: Page): Promise<number> {
  const [shift, ready] = await page.evaluate<[number, number]>(
    `new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; }).observe({ type: "layout-shift", buffered: true });
      const [{ domContentLoadedEventEnd, startTime }] = performance.getEntriesByType("navigation");
      setTimeout(() => resolve([sum, domContentLoadedEventEnd - startTime]), 60);
    })`,
  );
  slowest = Math.max(slowest, ready);
  return shift;
}

/** Milliseconds until the slowest page was interactive. Told, not judged: the machine may be busy. */
export let slowest = 0;

/** Nothing needs scrolling sideways. */
export async function fitsWidth(page: Page): Promise<void> {
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(wide <= 0, `the page is ${wide} px too wide`);
}

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Serious and critical findings, and every lack of contrast. */
export async function axe(page: Page): Promise<void> {
  // Evaluated as a text: the page's policy has no say over the debugger.
  await page.evaluate(axeCore.source);
  const { violations, passes } = await page.evaluate<{ violations: Finding[]; passes: Finding[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  );
  expect(passes.length > 10, `axe found hardly anything to judge: ${passes.length} rules`);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const words = serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.target.join(" ")} – ${node.failureSummary}`)
        .join("\n   ")}`,
  );
  expect(serious.length === 0, `axe: ${words.join("\n  ")}`);
}
