/** Small additions to server-rendered pages: copy buttons, list filters, file inputs. */

/** Shows the copy buttons under `root`. */
export function copyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    // Browsers give the clipboard to secure pages only.
    if (navigator.clipboard === undefined) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      void copy(button);
    });
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  await navigator.clipboard.writeText(
    button.parentElement?.querySelector("code")?.textContent ?? "",
  );
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

/** Scrolls the navigation, which is wider than a narrow screen, to the current page's entry. */
export function scrollToCurrentPage(): void {
  const current = document.querySelector<HTMLElement>(".side [aria-current]");
  const list = current?.closest("nav");
  if (current === null || list === undefined || list === null) return;
  list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}

/** Search inputs that filter a list by its text. */
export function filterInputs(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("[data-filter]")) {
    const list = document.getElementById(input.dataset["filter"] ?? "");
    if (list === null) continue;
    input.hidden = false;
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const item of list.children) {
        const matches = item.textContent.toLowerCase().includes(wanted);
        item.toggleAttribute("hidden", !matches);
      }
    });
  }
}

/** File inputs that fill a text area. */
export function fileInputs(): void {
  for (const field of document.querySelectorAll<HTMLElement>("[data-file-for]")) {
    const area = document.getElementById(field.dataset["fileFor"] ?? "");
    const input = field.querySelector("input");
    if (!(area instanceof HTMLTextAreaElement) || input === null) continue;
    field.hidden = false;
    input.addEventListener("change", () => {
      void input.files?.[0]?.text().then((text) => (area.value = text));
    });
  }
}
