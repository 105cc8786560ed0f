/** The playground's answers as they stream in, one column a model. */
import { fetchPart } from "./small.ts";

export function playground(): void {
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
      const column = makeColumn(model);
      answers.append(column);
      const wish = {
        harness: text("harness"),
        format: text("format"),
        model,
        system: text("system"),
        prompt: text("prompt"),
        max: Number(text("max")),
        stream: true,
      };
      run(column, wish).catch((error: unknown) =>
        say(column, `The request failed: ${String(error)}`),
      );
    }
  });
}

interface Wish {
  format: string;
  model: string;
}

function makeColumn(model: string): HTMLElement {
  const column = document.createElement("section");
  column.className = "card answer";
  column.setAttribute("aria-label", model);
  column.innerHTML =
    '<h2 class="model"></h2><div class="words busy"></div><div class="result"><p class="hint clock">0.0 s</p></div><details><summary>Raw events</summary><pre tabindex="0"></pre></details>';
  const title = column.querySelector("h2");
  if (title !== null) title.textContent = model;
  return column;
}

function say(column: HTMLElement, words: string): void {
  const place = column.querySelector(".words");
  place?.classList.remove("busy");
  place?.append(words);
}

async function run(column: HTMLElement, wish: Wish): Promise<void> {
  const begun = performance.now();
  const clock = column.querySelector(".clock");
  const ticking = setInterval(() => {
    if (clock !== null) clock.textContent = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  }, 100);
  try {
    const answer = await fetch("/dashboard/playground/run", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wish),
    });
    if (answer.status === 401 && !answer.headers.has("X-Gateway-Request-Id"))
      location.assign("/dashboard/sign-in");
    await readAnswer(column, answer, wish.format);
    const id = answer.headers.get("X-Gateway-Request-Id");
    if (id !== null) await showResult(column, id);
  } finally {
    clearInterval(ticking);
    column.querySelector(".words")?.classList.remove("busy");
  }
}

async function readAnswer(column: HTMLElement, answer: Response, format: string): Promise<void> {
  const raw = column.querySelector("pre");
  const words = column.querySelector(".words");
  if (answer.body === null || raw === null || words === null) return;
  const streamed = answer.headers.get("Content-Type")?.includes("event-stream") === true;
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
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
    for (const line of lines) words.append(wordsIn(line, format));
  }
  if (!streamed) words.append(messageIn(rest));
}

/** The text that one line of the stream adds, in any of the three formats. */
function wordsIn(line: string, format: string): string {
  if (!line.startsWith("data:")) return "";
  const event = parsed(line.slice(5));
  if (format === "responses") {
    return at(event, "type") === "response.output_text.delta"
      ? textOf(at(event, "delta"))
      : errorIn(event);
  }
  if (format === "messages") return textOf(at(at(event, "delta"), "text")) || errorIn(event);
  return textOf(at(at(at(at(event, "choices"), 0), "delta"), "content")) || errorIn(event);
}

function errorIn(event: unknown): string {
  const message = textOf(at(at(event, "error"), "message"));
  return message === "" ? "" : `\n${message}`;
}

function messageIn(body: string): string {
  const message = textOf(at(at(parsed(body), "error"), "message"));
  return message === "" ? body : message;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function at(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The row of the log is written just behind the answer. */
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
