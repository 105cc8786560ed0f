/** Small comforts: copy, search, parts that load behind the page, files into text areas. */

export function copyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    // Browsers offer the clipboard to secure pages only.
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

/** On a narrow screen the navigation scrolls sideways: the page's own entry is brought into view. */
export function showPlace(): void {
  const here = document.querySelector<HTMLElement>(".side [aria-current]");
  const list = here?.closest("nav");
  if (here === null || !list) return;
  list.scrollLeft = here.offsetLeft - (list.clientWidth - here.offsetWidth) / 2;
}

export function searchFields(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("[data-filter]")) {
    const list = document.getElementById(input.dataset["filter"] ?? "");
    if (list === null) continue;
    input.hidden = false;
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const item of list.children) {
        const fits = item.textContent.toLowerCase().includes(wanted);
        item.toggleAttribute("hidden", !fits);
      }
    });
  }
}

/** A part of a page as the server renders it. */
export async function fetchPart(address: string, part = "1"): Promise<string> {
  const answer = await fetch(address, { headers: { "X-Part": part } });
  if (answer.status === 401) location.assign("/dashboard/sign-in");
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return await answer.text();
}

export function loadParts(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-load]")) {
    fetchPart(place.dataset["load"] ?? "").then(
      (html) => (place.innerHTML = html),
      // The link that stands there leads to the same.
      () => undefined,
    );
  }
}

export function fileFields(): void {
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
