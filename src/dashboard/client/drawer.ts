/**
 * Opens a request in a drawer over the list. An open request is in the page's address, as `open`, so that it can be
 * shared, reloaded and left by Back. Without the script the link leads to the request's own page.
 */
import { copyButtons } from "./enhancements.ts";
import { fetchPart } from "./page-part.ts";

let drawer: HTMLDialogElement | undefined;
/** Id of the request that is open, or about to be. */
let opened: string | undefined;

/** Handles clicks on links to requests and on their rows, and the page's address. */
export function openRequestsInDrawer(): void {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const link = event.target.closest<HTMLAnchorElement>("a[data-drawer]") ?? rowLink(event.target);
    // Leave opening new tabs to the browser.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    open(idOf(link));
  });
  addEventListener("popstate", () => {
    followAddress();
    keepRowInSight();
  });
  followAddress();
}

/** Opens the request that is so many rows further down; false where none is open. */
export function stepInDrawer(by: 1 | -1): boolean {
  if (drawer?.open !== true || opened === undefined) return false;
  const next = neighbour(opened, by);
  if (next !== undefined) open(next);
  return true;
}

/** The link of a clicked row, unless another element in it was clicked or text is selected. */
function rowLink(target: Element): HTMLAnchorElement | null {
  if (target.closest("a, button, input, dialog") !== null || !getSelection()?.isCollapsed)
    return null;
  return target.closest("tr[data-id]")?.querySelector<HTMLAnchorElement>("a[data-drawer]") ?? null;
}

function idOf(link: HTMLAnchorElement): string {
  return decodeURIComponent(new URL(link.href).pathname.split("/").at(-1) ?? "");
}

function open(id: string): void {
  const isOpen = drawer?.open === true;
  const address = addressWith(id);
  if (isOpen) history.replaceState(history.state, "", address);
  else history.pushState({ drawer: true }, "", address);
  void show(id);
}

/** The page's address with that request open, or with none. */
function addressWith(id: string | undefined): string {
  const address = new URL(location.href);
  address.searchParams.delete("open");
  if (id !== undefined) address.searchParams.set("open", id);
  return address.href;
}

/** Shows what the address says. */
function followAddress(): void {
  const id = new URL(location.href).searchParams.get("open");
  if (id !== null && id !== "") void show(id);
  else drawer?.close();
}

/** The browser goes back to where the page was when the first request was opened; the row in focus may be another. */
function keepRowInSight(): void {
  requestAnimationFrame(() =>
    document.activeElement?.closest("tr[data-id]")?.scrollIntoView({ block: "nearest" }),
  );
}

function pageOf(id: string): string {
  return `/dashboard/requests/${encodeURIComponent(id)}`;
}

async function show(id: string): Promise<void> {
  opened = id;
  const page = pageOf(id);
  const html = await fetchPart(page).catch(() => undefined);
  if (opened !== id) return;
  // The page itself says what is wrong.
  if (html === undefined) return location.replace(page);
  fill(id, html);
}

function fill(id: string, html: string): void {
  const page = pageOf(id);
  drawer ??= createDrawer();
  const body = drawer.querySelector(".drawer-body");
  if (body === null) return;
  const link = drawer.querySelector(".drawer-link");
  body.innerHTML = html;
  // The same request again stays where it is read.
  if (link?.getAttribute("href") !== page) body.scrollTop = 0;
  link?.setAttribute("href", page);
  copyButtons(body);
  markRow(id);
  if (!drawer.open) drawer.showModal();
}

/** Its row is told apart, and the buttons to its neighbours work where there are some. */
function markRow(id: string | undefined): void {
  document.querySelector("tr[data-open]")?.removeAttribute("data-open");
  if (id === undefined) return;
  const row = document.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
  row?.setAttribute("data-open", "");
  row?.scrollIntoView({ block: "nearest" });
  for (const button of drawer?.querySelectorAll<HTMLButtonElement>("[data-step]") ?? [])
    // Not `disabled`, which would lose the focus at the list's end.
    button.setAttribute("aria-disabled", String(neighbour(id, stepOf(button)) === undefined));
}

function stepOf(button: HTMLButtonElement): 1 | -1 {
  return button.dataset["step"] === "1" ? 1 : -1;
}

/** The id of the row so many further down. */
function neighbour(id: string, by: 1 | -1): string | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("tr[data-id]")];
  const at = rows.findIndex((row) => row.dataset["id"] === id);
  return at < 0 ? undefined : rows[at + by]?.dataset["id"];
}

/** By whatever it was closed: the address names no open request, and the focus is on its row. */
function closed(): void {
  const row = document.querySelector<HTMLElement>(`tr[data-open] .row-link`);
  markRow(undefined);
  opened = undefined;
  row?.focus({ preventScroll: true });
  if (!new URL(location.href).searchParams.has("open")) return;
  const { state } = history as { state: { drawer?: true } | null };
  if (state?.drawer === true) history.back();
  else history.replaceState(null, "", addressWith(undefined));
}

/** Sends a form of the open request, and shows what became of it: the list below stays as it is. */
async function sendForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  id: string,
): Promise<void> {
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]);
  const body = new URLSearchParams(fields);
  // It leads back to the request's page, of which the part is asked for.
  const sent = { method: "POST", body, headers: { "X-Part": "1" } };
  const answer = await fetch(form.action, sent).catch(() => undefined);
  const isBack = answer?.ok === true && new URL(answer.url).pathname === pageOf(id);
  // Anything else is said by the page itself.
  if (!isBack) return location.assign(pageOf(id));
  const html = await answer.text();
  if (opened !== id) return;
  fill(id, html);
  const chosen = drawer?.querySelector<HTMLElement>(".feedback [aria-pressed=true]");
  (chosen ?? drawer?.querySelector<HTMLElement>(".feedback button"))?.focus();
}

function createDrawer(): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "drawer";
  dialog.setAttribute("aria-label", "Request");
  dialog.innerHTML =
    '<div class="drawer-head"><a class="drawer-link">Open as a page</a><div class="actions"><button type="button" class="small" data-step="-1">Previous</button><button type="button" class="small" data-step="1">Next</button><button type="button" class="small" data-close autofocus>Close</button></div></div><div class="drawer-body" tabindex="0" role="region" aria-label="Details"></div>';
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  for (const button of dialog.querySelectorAll<HTMLButtonElement>("[data-step]"))
    button.addEventListener("click", () => stepInDrawer(stepOf(button)));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement) || opened === undefined) return;
    event.preventDefault();
    void sendForm(event.target, event.submitter, opened);
  });
  dialog.addEventListener("close", closed);
  document.body.append(dialog);
  return dialog;
}
