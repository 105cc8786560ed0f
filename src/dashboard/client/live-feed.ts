/** The live feed of requests: new rows for lists, and the first request of a new client. */
import { NewRows, type NewRow } from "./new-rows.ts";
import { refreshNumbers, refreshWhenShown } from "./refreshed-part.ts";

interface NewRequest extends NewRow {
  key: string | null;
  status: number;
  outcome: string;
}

/** Follows the feed on pages that show it. The page's list of new rows, where it has one. */
export function watchLiveFeed(): NewRows | undefined {
  const place = document.getElementById("live") ?? document.getElementById("waiting");
  if (place === null) return undefined;
  const rows = document.getElementById(place.dataset["rows"] ?? "");
  const list = rows === null ? undefined : new NewRows(place, rows);
  const { since = "0", search = "" } = place.dataset;
  const source = new EventSource(`/dashboard/live?since=${since}&${search}`);
  refreshWhenShown();
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
    if (list === undefined) showFirstRequest(place, request);
    else list.add(request);
    refreshNumbers();
  });
  // Each connection, every ten seconds, begins with it.
  source.addEventListener("notices", ({ data }: MessageEvent<string>) => showNews(Number(data)));
  // A page that was left must not hold one of the browser's few connections.
  addEventListener("pagehide", () => source.close());
  return list;
}

/** The number of unread notices, in the menu. */
function showNews(count: number): void {
  const badge = document.querySelector<HTMLElement>("[data-news]");
  const number = badge?.querySelector("span");
  if (badge === null || number === null || number === undefined) return;
  badge.hidden = count === 0;
  number.textContent = String(Math.min(count, 99));
}

function firstRequestWords(status: number, outcome: string): string {
  if (outcome === "blocked") return "Your first request arrived and was blocked by a limit.";
  if (status < 400) return "Your first request arrived.";
  return `Your first request arrived and got status ${status}.`;
}

function showFirstRequest(place: HTMLElement, { id, key, status, outcome }: NewRequest): void {
  const wanted = place.dataset["key"] ?? "";
  if (place.classList.contains("arrived") || (wanted !== "" && key !== wanted)) return;
  place.classList.add("arrived");
  const text = place.querySelector("[data-waiting-text]");
  if (text !== null) {
    text.textContent = firstRequestWords(status, outcome);
  }
  const link = document.createElement("a");
  link.href = `/dashboard/requests/${encodeURIComponent(id)}`;
  link.dataset["drawer"] = "";
  link.textContent = "Show the request";
  place.querySelector("[data-waiting-hint]")?.replaceChildren(link);
}
