/** The command palette: what the search page finds, while it is typed. Without the script its button leads to that page. */
import { closingDialog } from "./dialogs.ts";

/** As the dashboard's search answers. */
interface Found {
  readonly kind: string;
  readonly label: string;
  /** Where it leads; missing where `theme` is chosen. */
  readonly href?: string;
  readonly theme?: string;
}

/** Milliseconds without a key before the server is asked. */
const pause = 40;

/** Opens the palette by Ctrl-K, Cmd-K, and the button in the navigation. */
export function commandPalette(): void {
  document.addEventListener("keydown", (event) => {
    const isAsked = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isAsked || event.key.toLowerCase() !== "k" || !hasSearch()) return;
    event.preventDefault();
    openPalette();
  });
  document.querySelector("[data-palette]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    openPalette();
  });
}

function hasSearch(): boolean {
  return document.querySelector("[data-palette]") !== null;
}

/** False where the page has no search, or the palette is open. */
export function openPalette(): boolean {
  if (!hasSearch() || document.querySelector("dialog.palette") !== null) return false;
  const dialog = closingDialog("palette", "Search everything");
  const field = document.createElement("input");
  field.type = "search";
  field.spellcheck = false;
  field.autocomplete = "off";
  const list = document.createElement("ul");
  list.id = "palette-results";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  for (const [name, value] of [
    ["role", "combobox"],
    ["aria-label", "Search everything"],
    ["placeholder", "Pages, models, keys, request ids"],
    ["aria-controls", list.id],
    ["aria-expanded", "true"],
    ["aria-autocomplete", "list"],
  ] as const)
    field.setAttribute(name, value);
  const status = document.createElement("p");
  status.className = "hint";
  status.setAttribute("role", "status");
  dialog.append(field, list, status);
  const palette = new Palette({ field, list, status });
  palette.begin();
  dialog.showModal();
  field.focus();
  return true;
}

interface PaletteParts {
  readonly field: HTMLInputElement;
  readonly list: HTMLElement;
  readonly status: HTMLElement;
}

class Palette {
  readonly #parts: PaletteParts;
  #found: readonly Found[] = [];
  #at = 0;
  #asked = "";
  /** For what text the results stand. */
  #shown: string | undefined;
  #timer = 0;

  constructor(parts: PaletteParts) {
    this.#parts = parts;
  }

  /** Listens, and shows what there is before anything is typed. */
  begin(): void {
    const { field, list } = this.#parts;
    field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#ask(), pause);
    });
    field.addEventListener("keydown", (event) => this.#onKey(event));
    list.addEventListener("click", ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLElement>("li") : null;
      if (option !== null) this.#choose(Number(option.dataset["at"]));
    });
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const asked = this.#parts.field.value.trim();
    this.#asked = asked;
    const address = `/dashboard/search/results?q=${encodeURIComponent(asked)}`;
    const response = await fetch(address).catch(() => undefined);
    if (this.#asked !== asked) return;
    if (response?.status === 401) return location.assign("/dashboard/sign-in");
    if (response?.ok !== true) return this.#show([], "The search failed. Try again.");
    // From the dashboard's own search.
    const { results } = (await response.json()) as { results: Found[] };
    if (this.#asked !== asked) return;
    this.#shown = asked;
    this.#show(results, wordsOf(results.length));
  }

  #show(found: readonly Found[], words: string): void {
    const { list, status } = this.#parts;
    this.#found = found;
    list.replaceChildren(...found.map(optionOf));
    status.textContent = words;
    this.#mark(0);
  }

  #onKey(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const { length } = this.#found;
      this.#mark((this.#at + by + length) % Math.max(1, length));
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      // What is typed may be newer than what is shown.
      if (this.#parts.field.value.trim() === this.#shown) this.#choose(this.#at);
      else void this.#ask().then(() => this.#choose(0));
    }
  }

  #mark(at: number): void {
    const { field, list } = this.#parts;
    this.#at = at;
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(index === at));
      if (index === at) option.scrollIntoView({ block: "nearest" });
    }
    const marked = list.children[at];
    if (marked === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", marked.id);
  }

  #choose(at: number): void {
    const found = this.#found[at];
    if (found?.href !== undefined) location.assign(found.href);
    else if (found?.theme !== undefined) chooseTheme(found.theme);
  }
}

function wordsOf(count: number): string {
  return `${count} ${count === 1 ? "result" : "results"}`;
}

function optionOf({ kind, label }: Found, at: number): HTMLElement {
  const option = document.createElement("li");
  option.id = `palette-${at}`;
  option.dataset["at"] = String(at);
  option.setAttribute("role", "option");
  option.innerHTML = '<span class="anywhere"></span><span class="muted"></span>';
  option.firstElementChild?.append(label);
  option.lastElementChild?.append(kind);
  return option;
}

/** By the button of the navigation, which sends a form. */
function chooseTheme(theme: string): void {
  document.querySelector<HTMLButtonElement>(`button[name=theme][value="${theme}"]`)?.click();
}
