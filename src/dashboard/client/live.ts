/** New requests as they are booked: rows for lists that are being watched, and the first request of a new client. */

import { fetchPart } from "./small.ts";

interface News {
  html: string;
  id: string;
  key: string | null;
  status: number;
}

export function watch(): void {
  const place = document.getElementById("live") ?? document.getElementById("waiting");
  if (place === null) return;
  const source = new EventSource(`/dashboard/live?since=${place.dataset["since"] ?? "0"}`);
  const marks = document.querySelectorAll<HTMLElement>("[data-live-mark]");
  const mark = (live: boolean) => marks.forEach((one) => (one.hidden = !live));
  let lost = 0;
  source.addEventListener("open", () => {
    clearTimeout(lost);
    mark(true);
  });
  source.addEventListener("error", () => {
    // The feed is made anew every few seconds; only one that stays away is lost.
    clearTimeout(lost);
    lost = window.setTimeout(() => mark(false), 3000);
  });
  source.addEventListener("message", (event: MessageEvent<string>) => {
    // Written by the gateway's own feed.
    const news = JSON.parse(event.data) as News;
    if (place.id === "live") addRow(place, news);
    else arrived(place, news);
  });
  // A page that is left must not hold one of the browser's few connections.
  addEventListener("pagehide", () => source.close());
}

function addRow(place: HTMLElement, { html, id }: News): void {
  const rows = document.getElementById(place.dataset["rows"] ?? "");
  if (rows === null || rows.querySelector(`[data-id="${CSS.escape(id)}"]`) !== null) return;
  const made = document.createElement("template");
  made.innerHTML = html;
  made.content.firstElementChild?.classList.add("fresh");
  rows.prepend(made.content);
  while (rows.children.length > Number(place.dataset["most"] ?? 50))
    rows.lastElementChild?.remove();
  document.getElementById("no-rows")?.remove();
  refreshNumbers();
}

let refreshing = false;

/** The overview's numbers follow the rows, once in a while however many come. */
function refreshNumbers(): void {
  const numbers = document.getElementById("numbers");
  if (numbers === null || refreshing) return;
  refreshing = true;
  setTimeout(() => {
    fetchPart(location.pathname + location.search, "numbers")
      .then(
        (html) => (numbers.innerHTML = html),
        // The next row tries again.
        () => undefined,
      )
      .finally(() => (refreshing = false));
  }, 1500);
}

function arrived(place: HTMLElement, { id, key, status }: News): void {
  const wanted = place.dataset["key"] ?? "";
  if (place.classList.contains("arrived") || (wanted !== "" && key !== wanted)) return;
  place.classList.add("arrived");
  const words = place.querySelector("[data-waiting-words]");
  if (words !== null) {
    words.textContent =
      status < 400
        ? "Your first request arrived."
        : `Your first request arrived, and was answered with ${status}.`;
  }
  const link = document.createElement("a");
  link.href = `/dashboard/requests/${encodeURIComponent(id)}`;
  link.dataset["drawer"] = "";
  link.textContent = "See what happened to it";
  place.querySelector("[data-waiting-hint]")?.replaceChildren(link);
}
