/** How every page looks and reads: pictures in two widths, and what axe finds in light and dark. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { check, expect, same } from "./report.ts";
import type { Stage } from "./stage.ts";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Every page by the name of its picture. */
export function pagesOf(request: string): Record<string, string> {
  return {
    overview: "",
    "overview-tier": "?range=7d&group=tier",
    requests: "/requests",
    "requests-filtered": "/requests?status=error",
    request: `/requests/${request}`,
    harnesses: "/harnesses",
    "harness-keys": "/harnesses/default",
    "harness-routing": "/harnesses/default/routing",
    "harness-parameters": "/harnesses/default/parameters",
    "harness-limits": "/harnesses/default/limits",
    "harness-general": "/harnesses/default/general",
    "harness-delete": "/harnesses/default/delete",
    providers: "/providers",
    provider: "/providers/lab?test=1",
    "provider-new": "/providers/new?kind=custom",
    models: "/models",
    playground: "/playground",
    connect: "/connect",
    settings: "/settings",
    "settings-token": "/settings/token",
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
    for (const width of [1280, 390]) {
      const { page, context, troubles } = await stage.signedIn({ width, dark });
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
            if (width === 1280 || !dark) await axe(page);
            same(troubles.splice(0), [], "troubles");
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

async function fitsWidth(page: Page): Promise<void> {
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
  await page.evaluate(axeSource);
  const violations = await page.evaluate<Finding[]>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((r) => r.violations)",
  );
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
