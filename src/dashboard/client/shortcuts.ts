/** Keys of the dashboard: they work outside of fields, and those of one character can be turned off (WCAG 2.1.4). */
import { closingDialog } from "./dialogs.ts";
import { stepInDrawer } from "./drawer.ts";
import type { NewRows } from "./new-rows.ts";
import { openPalette } from "./palette.ts";

interface Shortcut {
  /** As `KeyboardEvent.key` says them. */
  readonly keys: readonly string[];
  readonly label: string;
  /** Whether there was something to do. */
  run(): boolean;
}

const setting = "shortcuts";

/** Listens for keys. `list`: the page's new rows, where it has such a list. */
export function listenForKeys(list: NewRows | undefined): void {
  const shortcuts = shortcutsOf(list);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isForOthers(event)) return;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (shortcut === undefined || (event.key.length === 1 && !areOn())) return;
    if (shortcut.run()) event.preventDefault();
  });
  const button = document.querySelector<HTMLElement>("[data-keys]");
  if (button === null) return;
  button.hidden = false;
  button.addEventListener("click", () => showKeys(shortcuts));
}

function shortcutsOf(list: NewRows | undefined): readonly Shortcut[] {
  const shortcuts: readonly Shortcut[] = [
    { keys: ["j"], label: "Next request", run: () => step(1) },
    { keys: ["k"], label: "Previous request", run: () => step(-1) },
    { keys: ["ArrowDown"], label: "Next request, while on one", run: () => isOnRow() && step(1) },
    {
      keys: ["ArrowUp"],
      label: "Previous request, while on one",
      run: () => isOnRow() && step(-1),
    },
    { keys: ["n"], label: "Show new requests", run: () => list?.showHeld() ?? false },
    { keys: ["/"], label: "Search this page", run: search },
    { keys: ["?"], label: "Keyboard shortcuts", run: () => showKeys(shortcuts) },
  ];
  return shortcuts;
}

function areOn(): boolean {
  return localStorage.getItem(setting) !== "off";
}

/** Of fields, of the browser, and of dialogs that have keys of their own. */
function isForOthers({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  const dialog = document.querySelector("dialog[open]");
  if (dialog !== null && !dialog.classList.contains("drawer")) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("select, textarea, input:not([type=checkbox], [type=radio])"))
  );
}

function isOnRow(): boolean {
  return document.activeElement?.classList.contains("row-link") === true;
}

function step(by: 1 | -1): boolean {
  return stepInDrawer(by) || moveFocus(by);
}

/** To the next row from the one that has the focus, else to the first in sight. */
function moveFocus(by: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>("tr[data-id] .row-link")];
  if (links.length === 0) return false;
  const row = document.activeElement?.closest("tr[data-id]");
  const at = links.findIndex((link) => row?.contains(link) === true);
  const wanted = at < 0 ? links.find(isInSight) : links[Math.max(0, at + by)];
  wanted?.focus({ preventScroll: true });
  wanted?.closest("tr")?.scrollIntoView({ block: "nearest" });
  return true;
}

function isInSight(link: HTMLElement): boolean {
  return link.getBoundingClientRect().top >= 0;
}

function search(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (field === null || document.querySelector("dialog[open]") !== null) return openPalette();
  field.focus();
  field.select();
  return true;
}

/** The list of keys, and the switch for them. */
function showKeys(shortcuts: readonly Shortcut[]): boolean {
  const dialog = closingDialog("keys", "Keyboard shortcuts");
  const others = [
    ["Ctrl K", "Search everything"],
    ["Enter", "Open the request"],
    ["Esc", "Close"],
  ];
  const rows = [...shortcuts.map(({ keys, label }) => [keys.join(" "), label]), ...others];
  const list = document.createElement("dl");
  for (const [key = "", label = ""] of rows) list.append(keyRow(key, label));
  dialog.append(list, keySwitch());
  dialog.showModal();
  return true;
}

const keyNames: Readonly<Record<string, string>> = { ArrowDown: "↓", ArrowUp: "↑" };

function keyRow(key: string, label: string): HTMLElement {
  const row = document.createElement("div");
  row.innerHTML = "<dt><kbd></kbd></dt><dd></dd>";
  row.querySelector("kbd")?.append(keyNames[key] ?? key);
  row.querySelector("dd")?.append(label);
  return row;
}

function keySwitch(): HTMLElement {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = areOn();
  box.addEventListener("change", () => localStorage.setItem(setting, box.checked ? "on" : "off"));
  label.append(box, " Use single-key shortcuts in this browser");
  return label;
}
