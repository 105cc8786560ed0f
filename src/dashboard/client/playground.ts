/** Streams the playground's responses, one column per model. */
import { errorText, eventText } from "./event-text.ts";
import { fetchPart } from "./page-part.ts";

/** Takes over the playground's form. */
export function streamPlayground(): void {
  const form = document.getElementById("playground");
  const answers = document.getElementById("answers");
  if (!(form instanceof HTMLFormElement) || answers === null) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name) ?? "").trim();
    const models = fields
      .getAll("model")
      .map((id) => String(id).trim())
      .filter((id) => id !== "");
    answers.replaceChildren();
    for (const model of models) {
      const column = createColumn(model);
      answers.append(column);
      const request = {
        harness: text("harness"),
        format: text("format"),
        model,
        system: text("system"),
        prompt: text("prompt"),
        max: fields.has("max") ? Number(text("max")) : 1,
        body: text("body"),
        stream: true,
      };
      sendRequest(column, request).catch((error: unknown) =>
        appendText(column, `Request failed: ${String(error)}`),
      );
    }
  });
}

interface PlaygroundRequest {
  format: string;
  model: string;
}

function createColumn(model: string): HTMLElement {
  const column = document.createElement("section");
  column.className = "card answer";
  column.setAttribute("aria-label", model);
  column.innerHTML =
    '<h2 class="model"></h2><div class="words busy"></div><div class="result"><p class="hint clock">0.0 s</p></div><details><summary>Raw events</summary><pre tabindex="0"></pre></details>';
  const title = column.querySelector("h2");
  if (title !== null) title.textContent = model;
  return column;
}

function appendText(column: HTMLElement, words: string): void {
  const place = column.querySelector(".words");
  place?.classList.remove("busy");
  place?.append(words);
}

async function sendRequest(column: HTMLElement, request: PlaygroundRequest): Promise<void> {
  const startedAt = performance.now();
  const clock = column.querySelector(".clock");
  const ticking = setInterval(() => {
    if (clock !== null)
      clock.textContent = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  }, 100);
  try {
    const response = await fetch("/dashboard/playground/run", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (response.status === 401 && !response.headers.has("X-Gateway-Request-Id"))
      location.assign("/dashboard/sign-in");
    await readResponse(column, response, request.format);
    const id = response.headers.get("X-Gateway-Request-Id");
    if (id !== null) await showResult(column, id);
  } finally {
    clearInterval(ticking);
    column.querySelector(".words")?.classList.remove("busy");
  }
}

async function readResponse(
  column: HTMLElement,
  response: Response,
  format: string,
): Promise<void> {
  const raw = column.querySelector("pre");
  const words = column.querySelector(".words");
  if (response.body === null || raw === null || words === null) return;
  const streamed = response.headers.get("Content-Type")?.includes("event-stream") === true;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const text = decoder.decode(value, { stream: true });
    raw.append(text);
    if (!streamed) {
      rest += text;
      continue;
    }
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) words.append(eventText(line, format));
  }
  if (!streamed) words.append(errorText(rest));
}

/** Waits for the row of the log, which is written just after the response. */
async function showResult(column: HTMLElement, id: string): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      const html = await fetchPart(`/dashboard/playground/result/${encodeURIComponent(id)}`);
      const place = column.querySelector(".result");
      if (place !== null) place.innerHTML = html;
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }
}
