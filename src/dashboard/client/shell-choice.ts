/** On Connect: the lines of one shell, and not of all. */

/** Shows the choice, and hides the lines of the shells that are not chosen. */
export function chooseShell(): void {
  const choice = document.querySelector<HTMLElement>("[data-shell-choice]");
  const select = choice?.querySelector("select");
  if (choice === null || select === null || select === undefined) return;
  choice.hidden = false;
  if (navigator.userAgent.includes("Windows")) select.value = "powershell";
  showLinesOf(select.value);
  select.addEventListener("change", () => showLinesOf(select.value));
}

function showLinesOf(shell: string): void {
  for (const lines of document.querySelectorAll<HTMLElement>("[data-shells]"))
    lines.hidden = !(lines.dataset["shells"] ?? "").split(" ").includes(shell);
}
