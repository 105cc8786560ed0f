/** The live feed of requests: new rows for lists, and the first request of a new client. */

import { fetchPart } from "./page-part.ts";

interface NewRequest {
  html: string;
  id: string;
  key: string | null;
  status: number;
}

/** Follows the feed on pages that show it. */
export function watchLiveFeed(): void {
  const place = document.getElementById("live") ?? document.getElementById("waiting");
  if (place === null) return;
  const source = new EventSource(`/dashboard/live?since=${place.dataset["since"] ?? "0"}`);
  const marks = document.querySelectorAll<HTMLElement>("[data-live-mark]");
  const mark = (live: boolean) => marks.forEach((one) => (one.hidden = !live));
  let lostTimer = 0;
  source.addEventListener("open", () => {
    clearTimeout(lostTimer);
    mark(true);
  });
  source.addEventListener("error", () => {
    // The feed reconnects every few seconds; it is lost only when it stays away longer.
    clearTimeout(lostTimer);
    lostTimer = window.setTimeout(() => mark(false), 3000);
  });
  source.addEventListener("message", (event: MessageEvent<string>) => {
    // From the gateway's own feed.
    const request = JSON.parse(event.data) as NewRequest;
    if (place.id === "live") addRow(place, request);
    else showFirstRequest(place, request);
  });
  // Each connection, every ten seconds, begins with it.
  source.addEventListener("notices", ({ data }: MessageEvent<string>) => showNews(Number(data)));
  // A page that was left must not hold one of the browser's few connections.
  addEventListener("pagehide", () => source.close());
}

/** The number of unread notices, in the menu. */
function showNews(count: number): void {
  const badge = document.querySelector<HTMLElement>("[data-news]");
  const number = badge?.querySelector("span");
  if (badge === null || number === null || number === undefined) return;
  badge.hidden = count === 0;
  number.textContent = String(Math.min(count, 99));
}

function addRow(place: HTMLElement, { html, id }: NewRequest): void {
  const rows = document.getElementById(place.dataset["rows"] ?? "");
  if (rows === null || rows.querySelector(`[data-id="${CSS.escape(id)}"]`) !== null) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  template.content.firstElementChild?.classList.add("fresh");
  rows.prepend(template.content);
  while (rows.children.length > Number(place.dataset["most"] ?? 50))
    rows.lastElementChild?.remove();
  document.getElementById("no-rows")?.remove();
  refreshNumbers();
}

let refreshing = false;

/** Refreshes the overview's numbers after new rows, at most every 1.5 seconds. */
function refreshNumbers(): void {
  const numbers = document.getElementById("numbers");
  if (numbers === null || refreshing) return;
  refreshing = true;
  setTimeout(() => {
    fetchPart(location.pathname + location.search, "numbers")
      .then(
        (html) => (numbers.innerHTML = html),
        // The next row refreshes them again.
        () => undefined,
      )
      .finally(() => (refreshing = false));
  }, 1500);
}

function showFirstRequest(place: HTMLElement, { id, key, status }: NewRequest): void {
  const wanted = place.dataset["key"] ?? "";
  if (place.classList.contains("arrived") || (wanted !== "" && key !== wanted)) return;
  place.classList.add("arrived");
  const text = place.querySelector("[data-waiting-text]");
  if (text !== null) {
    text.textContent =
      status < 400
        ? "Your first request arrived."
        : `Your first request arrived and got status ${status}.`;
  }
  const link = document.createElement("a");
  link.href = `/dashboard/requests/${encodeURIComponent(id)}`;
  link.dataset["drawer"] = "";
  link.textContent = "Show the request";
  place.querySelector("[data-waiting-hint]")?.replaceChildren(link);
}
