/** A request's page as a drawer over the list. Without it the link leads to the page itself. */
import { copyButtons, fetchPart } from "./small.ts";

let drawer: HTMLDialogElement | undefined;

export function openDrawers(): void {
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.defaultPrevented) return;
    const link = event.target.closest<HTMLAnchorElement>("a[data-drawer]") ?? rowLink(event.target);
    // A new tab is the browser's business.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    open(link.href).catch(() => location.assign(link.href));
  });
}

/** A row is as good as its link, unless something else in it was meant or text was marked. */
function rowLink(target: Element): HTMLAnchorElement | null {
  if (target.closest("a, button, input, dialog") !== null || !getSelection()?.isCollapsed)
    return null;
  return target.closest("tr[data-id]")?.querySelector<HTMLAnchorElement>("a[data-drawer]") ?? null;
}

async function open(address: string): Promise<void> {
  const html = await fetchPart(address);
  drawer ??= makeDrawer();
  const body = drawer.querySelector(".drawer-body");
  if (body === null) return;
  body.innerHTML = html;
  body.scrollTop = 0;
  drawer.querySelector(".drawer-link")?.setAttribute("href", address);
  copyButtons(body);
  if (!drawer.open) drawer.showModal();
}

function makeDrawer(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "drawer";
  made.setAttribute("aria-label", "Request");
  made.innerHTML =
    '<div class="drawer-head"><a class="drawer-link">Open as a page</a><button type="button" class="small" autofocus>Close</button></div><div class="drawer-body" tabindex="0"></div>';
  made.querySelector("button")?.addEventListener("click", () => made.close());
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return made;
}
