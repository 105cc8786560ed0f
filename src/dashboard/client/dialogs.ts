/** Dialogs that scripts make. */

/** An empty dialog with its title and a button that closes it; it is gone once it is closed. */
export function closingDialog(name: string, title: string): HTMLDialogElement {
  const dialog = document.createElement("dialog");
  dialog.className = `sheet ${name}`;
  dialog.setAttribute("aria-label", title);
  dialog.innerHTML =
    '<div class="sheet-head"><h2></h2><button type="button" class="small" autofocus>Close</button></div>';
  dialog.querySelector("h2")?.append(title);
  dialog.querySelector("button")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  return dialog;
}
