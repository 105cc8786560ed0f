/** The part of a page that follows new requests. */
import { adoptCharts } from "./charts.ts";
import { fetchPart } from "./page-part.ts";

/** Milliseconds between two refreshes, at least. */
const shortestPause = 2500;
/** A refresh that took long is followed by a pause so many times as long. */
const pausePerWork = 10;

let isWaiting = false;
let isStale = false;

/** Fetches the part anew, soon: once for many calls, and not while nobody looks at the page. */
export function refreshNumbers(): void {
  const place = document.getElementById("numbers");
  if (place === null) return;
  isStale = true;
  if (isWaiting || document.hidden) return;
  isWaiting = true;
  void refresh(place).finally(() => {
    isWaiting = false;
    if (isStale) refreshNumbers();
  });
}

/** Catches up with what came while nobody looked. */
export function refreshWhenShown(): void {
  document.addEventListener("visibilitychange", () => {
    if (isStale) refreshNumbers();
  });
}

async function refresh(place: HTMLElement): Promise<void> {
  await pause(1000);
  const began = performance.now();
  isStale = false;
  // A part that could not be fetched stays as it was until the next new request.
  const html = await fetchPart(location.pathname + location.search, "numbers").catch(
    () => undefined,
  );
  if (html !== undefined) replace(place, html);
  await pause(Math.max(shortestPause - 1000, pausePerWork * (performance.now() - began)));
}

/** Puts the new content in place: charts go on in the ones that are drawn, and focus and open details stay. */
function replace(place: HTMLElement, html: string): void {
  const template = document.createElement("template");
  template.innerHTML = html;
  const focused = document.activeElement?.id ?? "";
  for (const open of place.querySelectorAll<HTMLElement>("details[open]"))
    template.content.getElementById(open.id)?.setAttribute("open", "");
  const draw = adoptCharts(template.content);
  place.replaceChildren(template.content);
  draw();
  if (focused !== "") document.getElementById(focused)?.focus({ preventScroll: true });
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, time));
}
