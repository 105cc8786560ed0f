/** New rows of a list of requests: held until they are asked for, so that nothing moves under the reader. */

/** A row as the feed sends it. */
export interface NewRow {
  readonly html: string;
  readonly id: string;
  /** For the page of older rows, where this one is the last. */
  readonly cursor: string;
}

/** Milliseconds between two announcements to screen readers. */
const announcePause = 15_000;
/** Milliseconds in which more may come before they are announced. */
const announceDelay = 1500;
const followSetting = "follow-requests";

/** Shows or holds a list's new rows. */
export class NewRows {
  readonly #place: HTMLElement;
  readonly #rows: HTMLElement;
  /** Rows that the list shows at most, and as many are held. */
  readonly #most: number;
  /** Oldest first. */
  #held: NewRow[] = [];
  #count = 0;
  #isAnnouncing = false;

  constructor(place: HTMLElement, rows: HTMLElement) {
    this.#place = place;
    this.#rows = rows;
    this.#most = Number(place.dataset["most"] ?? 50);
    this.#setUp();
  }

  /** Takes a row that is new; one that is there already changes nothing. */
  add(row: NewRow): void {
    const isShown = this.#rows.querySelector(`[data-id="${CSS.escape(row.id)}"]`) !== null;
    if (isShown || this.#held.some(({ id }) => id === row.id)) return;
    this.#held.push(row);
    if (this.#held.length > this.#most) this.#held.shift();
    this.#count += 1;
    // An empty list has nothing that could move.
    if (this.#rows.children.length === 0 || (isFollowing() && this.#isAtRest())) this.#show();
    else this.#tell();
  }

  /** Shows what is held and leads to the first of it; false where nothing is held. */
  showHeld(): boolean {
    if (this.#count === 0) return false;
    this.#show();
    this.#rows.querySelector<HTMLElement>(".row-link")?.focus({ preventScroll: true });
    // The bar sticks to the window's top: that it is in sight says nothing of the rows.
    this.#rows.firstElementChild?.scrollIntoView({ block: "nearest" });
    return true;
  }

  #setUp(): void {
    this.#button?.addEventListener("click", () => this.showHeld());
    const link = this.#place.querySelector<HTMLElement>("[data-newest]");
    if (link !== null) link.hidden = true;
    const choice = this.#place.querySelector<HTMLElement>("[data-follow]");
    const box = choice?.querySelector("input");
    if (choice === null || box === null || box === undefined) return;
    choice.hidden = false;
    box.checked = isFollowing();
    box.addEventListener("change", () => {
      localStorage.setItem(followSetting, box.checked ? "on" : "off");
      if (box.checked) this.#show();
    });
  }

  get #button(): HTMLButtonElement | null {
    return this.#place.querySelector("button");
  }

  /** Nobody reads, points at, selects or uses a row, and the list's beginning is in sight. */
  #isAtRest(): boolean {
    return (
      !document.hidden &&
      this.#place.getBoundingClientRect().top >= 0 &&
      !this.#rows.matches(":hover, :focus-within") &&
      (getSelection()?.isCollapsed ?? true) &&
      document.querySelector("dialog[open]") === null
    );
  }

  #show(): void {
    const isGap = this.#count > this.#held.length;
    if (isGap) this.#rows.replaceChildren();
    for (const row of this.#held) this.#rows.prepend(elementOf(row));
    this.#held = [];
    this.#count = 0;
    this.#trim(isGap);
    document.getElementById("no-rows")?.remove();
    this.#tell();
  }

  /** Takes away the oldest rows that are too many, and lets the link to older ones begin behind the last that stays. */
  #trim(isGap: boolean): void {
    const rows = this.#rows;
    if (!isGap && rows.children.length <= this.#most) return;
    const cursor = () => (rows.lastElementChild as HTMLElement | null)?.dataset["cursor"];
    while (rows.children.length > this.#most) rows.lastElementChild?.remove();
    const link = document.querySelector<HTMLAnchorElement>("a[rel=next][data-older]");
    if (link === null) return;
    // Rows that came with the page have no cursor; they are on the page of older ones.
    while (cursor() === undefined && rows.children.length > 0) rows.lastElementChild?.remove();
    const address = new URL(link.href);
    address.searchParams.set("before", cursor() ?? "");
    link.href = address.href;
    link.closest("nav")?.removeAttribute("hidden");
  }

  #tell(): void {
    const button = this.#button;
    if (button === null) return;
    button.hidden = this.#count === 0;
    button.textContent = `${this.#count} new`;
    if (this.#count > 0) this.#announce();
  }

  /** Once for many rows: a screen reader would read nothing else. */
  #announce(): void {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    setTimeout(() => {
      const status = this.#place.querySelector("[role=status]");
      if (status !== null && this.#count > 0) status.textContent = `${this.#count} new requests`;
    }, announceDelay);
    setTimeout(() => (this.#isAnnouncing = false), announcePause);
  }
}

function isFollowing(): boolean {
  return localStorage.getItem(followSetting) === "on";
}

function elementOf({ html, cursor }: NewRow): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  const row = template.content.firstElementChild;
  row?.classList.add("fresh");
  row?.setAttribute("data-cursor", cursor);
  return template.content;
}
