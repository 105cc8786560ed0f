/** Reorders the models of a tier by drag and drop; the buttons beside each model do the same. */

/** Makes every chain sortable. A drop saves the form. */
export function sortableChains(): void {
  for (const list of document.querySelectorAll<HTMLElement>("[data-sortable]")) {
    let held: HTMLElement | undefined;
    let before = "";
    for (const item of list.querySelectorAll<HTMLElement>("li")) {
      item.draggable = true;
      item.addEventListener("dragstart", (event) => {
        held = item;
        before = orderOf(list);
        item.classList.add("held");
        // Some browsers drag only elements with data.
        event.dataTransfer?.setData("text/plain", "");
      });
      item.addEventListener("dragend", () => {
        item.classList.remove("held");
        held = undefined;
        if (orderOf(list) !== before) list.closest("form")?.requestSubmit();
      });
    }
    list.addEventListener("dragover", (event) => {
      if (held === undefined || !(event.target instanceof Element)) return;
      event.preventDefault();
      const over = event.target.closest("li");
      if (over === null || over === held || over.parentElement !== list) return;
      const { top, height } = over.getBoundingClientRect();
      over[event.clientY < top + height / 2 ? "before" : "after"](held);
    });
    list.addEventListener("drop", (event) => event.preventDefault());
  }
}

function orderOf(list: HTMLElement): string {
  return [...list.querySelectorAll("input")].map(({ value }) => value).join("\n");
}
