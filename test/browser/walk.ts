/** A task done from start to end in every size, in light and dark, by pointer, by keyboard alone and without script. */
import type { Locator, Page } from "playwright-core";
import { axe, fitsWidth } from "./look.ts";
import { check, expect, expectSame } from "./report.ts";
import type { Stage } from "./stage.ts";

/** How somebody uses the page. */
type Hands = "pointer" | "keyboard" | "no script";

interface Way {
  readonly width: 390 | 1024 | 1440;
  readonly dark: boolean;
  readonly hands: Hands;
}

/** Each size with each theme; each way of using a page in every theme, two of them in each size. */
const ways: readonly Way[] = [
  { width: 390, dark: false, hands: "pointer" },
  { width: 390, dark: true, hands: "keyboard" },
  { width: 1024, dark: true, hands: "pointer" },
  { width: 1024, dark: false, hands: "no script" },
  { width: 1440, dark: false, hands: "keyboard" },
  { width: 1440, dark: true, hands: "no script" },
];

/** What a task does with a page, the way it is used. */
export interface Walk {
  readonly stage: Stage;
  readonly page: Page;
  readonly way: Way;
  /** Another number for each way, for names that must not meet. */
  readonly turn: number;
  /** Opens a page of the dashboard by its path, like `/providers`. */
  open(path: string): Promise<void>;
  /** Presses a link or button. */
  press(target: Locator): Promise<void>;
  /** Writes into a field in place of what it holds. */
  fill(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a list by its label. */
  choose(target: Locator, label: string): Promise<void>;
  /** Ticks a check box. */
  tick(target: Locator): Promise<void>;
  /** The page stays within its width, and axe finds nothing serious. */
  look(): Promise<void>;
}

/** Does the task once in each way; `run` throws where something is not as promised. */
export async function walkEachWay(
  stage: Stage,
  name: string,
  run: (walk: Walk) => Promise<void>,
): Promise<void> {
  for (const [turn, way] of ways.entries()) {
    const { width, dark, hands } = way;
    await check(`${name}: ${width} px, ${dark ? "dark" : "light"}, ${hands}`, async () => {
      const script = hands !== "no script";
      const visit = await stage.signedIn({ width, dark, script, session: "shared" });
      try {
        await run(walkOf({ stage, page: visit.page, way, turn }));
        expectSame(visit.problems, [], "problems");
      } finally {
        await visit.context.close();
      }
    });
  }
}

function walkOf({ stage, page, way, turn }: Pick<Walk, "stage" | "page" | "way" | "turn">): Walk {
  const byKeyboard = way.hands === "keyboard";
  return {
    stage,
    page,
    way,
    turn,
    open: async (path) => {
      await page.goto(`${stage.gateway.base}/dashboard${path}`);
    },
    press: async (target) => {
      if (!byKeyboard) return await target.click();
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
    fill: async (target, text) => {
      if (!byKeyboard) return await target.fill(text);
      await tabTo(page, target);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    choose: async (target, label) => {
      if (byKeyboard) {
        await tabTo(page, target);
        await page.keyboard.type(label);
      } else {
        await target.selectOption({ label });
      }
    },
    tick: async (target) => {
      if (!byKeyboard) return await target.check();
      await tabTo(page, target);
      await page.keyboard.press("Space");
    },
    look: async () => {
      await fitsWidth(page);
      // Without script axe cannot run; the same page is judged in the other ways.
      if (way.hands !== "no script") await axe(page);
    },
  };
}

/** More places than any page has for the focus to rest on, and how many of them one batch passes. */
const mostStops = 300;
const stopsAtOnce = 25;

/** Presses Tab until the focus is there: what no Tab reaches cannot be used without a pointer. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const hold = await target.evaluateHandle(holdFocus);
  for (let stops = 0; stops <= mostStops; stops += stopsAtOnce) {
    if (await hold.evaluate(({ rests }) => rests())) {
      await hold.evaluate(({ release }) => release());
      return;
    }
    await Promise.all(Array.from({ length: stopsAtOnce }, () => page.keyboard.press("Tab")));
  }
  expect(false, `no Tab leads to ${String(target)}`);
}

/** What keeps the focus on an element that a Tab has reached. */
interface Hold {
  rests(): boolean;
  release(): void;
}

type Heed = (type: "keydown", listener: (event: Key) => void, capture: true) => void;
type Key = Event & { readonly key: string };

/** As much as is needed here of what browsers know of an element. */
interface PageElement {
  matches(selector: string): boolean;
  readonly ownerDocument: {
    readonly addEventListener: Heed;
    readonly removeEventListener: Heed;
  };
}

/** Runs in the page: Tabs that come after the one that reached the element do nothing, so that no batch passes it. */
function holdFocus(element: PageElement): Hold {
  const page = element.ownerDocument;
  const rests = (): boolean => element.matches(":focus");
  const hold = (event: Key): void => {
    if (event.key !== "Tab" || !rests()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  page.addEventListener("keydown", hold, true);
  return { rests, release: () => page.removeEventListener("keydown", hold, true) };
}
