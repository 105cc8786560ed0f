/** Opens a request's page in a drawer over the list. Without the script the link leads to the page itself. */
import { copyButtons } from "./enhancements.ts";
import { fetchPart } from "./page-part.ts";

let drawer: HTMLDialogElement | undefined;

/** Handles clicks on links to requests and on their rows. */
export function openRequestsInDrawer(): void {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const link = event.target.closest<HTMLAnchorElement>("a[data-drawer]") ?? rowLink(event.target);
    // Leave opening new tabs to the browser.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    open(link.href).catch(() => location.assign(link.href));
  });
}

/** The link of a clicked row, unless another element in it was clicked or text is selected. */
function rowLink(target: Element): HTMLAnchorElement | null {
  if (target.closest("a, button, input, dialog") !== null || !getSelection()?.isCollapsed)
    return null;
  return target.closest("tr[data-id]")?.querySelector<HTMLAnchorElement>("a[data-drawer]") ?? null;
}

async function open(address: string): Promise<void> {
  const html = await fetchPart(address);
  drawer ??= createDrawer();
  const body = drawer.querySelector(".drawer-body");
  if (body === null) return;
  body.innerHTML = html;
  body.scrollTop = 0;
  drawer.querySelector(".drawer-link")?.setAttribute("href", address);
  copyButtons(body);
  if (!drawer.open) drawer.showModal();
}

function createDrawer(): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = "drawer";
  dialog.setAttribute("aria-label", "Request");
  dialog.innerHTML =
    '<div class="drawer-head"><a class="drawer-link">Open as a page</a><button type="button" class="small" autofocus>Close</button></div><div class="drawer-body" tabindex="0"></div>';
  dialog.querySelector("button")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
