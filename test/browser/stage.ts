/** The stage of the browser's test: the real gateway, a scripted provider, and Debian's Chromium. */
import { existsSync } from "node:fs";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type Script, stream, whole } from "../kit/script.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";
import { admin, type Host, npmStart, scratch } from "../smoke/host.ts";

export interface Stage {
  gateway: Host;
  upstream: Upstream;
  browser: Browser;
  /** A new browser context that is signed in. */
  signedIn(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

interface VisitOptions {
  readonly width?: number;
  readonly dark?: boolean;
  readonly script?: boolean;
  /** One of its own unless it is shared with other visits, which must not sign out. */
  readonly session?: "own" | "shared";
}

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Whether scripts run. */
  script: boolean;
  /** What went wrong in the page's own eyes: errors, policy violations, dialogs, foreign requests. */
  problems: string[];
}

/** What the scripted provider says in its list. Tests add to it. */
export const listedModels: string[] = ["small-mini", "large-pro"];
/** The next answers' failure, if any. */
export const nextFailure: { status: number; message: string } = { status: 0, message: "" };

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium, for all stages. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: flags });
}

export interface StageOptions {
  browser: Browser;
  /** Starts the gateway on that state folder; `npm start` unless named. */
  start?: ((state: string) => Promise<Host>) | undefined;
}

/** A stage with a gateway of its own, which is empty. */
export async function openStage({ browser, start }: StageOptions): Promise<Stage> {
  const space = scratch();
  const upstream = await startUpstream({
    respond: ({ path: asked, text }) => respond(asked, text),
  });
  const state = path.join(space.folder, "state");
  const gateway = await (start ?? ((folder) => npmStart({ state: folder })))(state);
  const host: SessionHost = { gateway, browser };
  return {
    gateway,
    upstream,
    browser,
    signedIn: (options = {}) => signedIn(host, options),
    async close() {
      await gateway.stop();
      await upstream.close();
      space.remove();
    },
  };
}

function chromiumPath(): string {
  const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (file) => existsSync(file),
  );
  if (found === undefined) throw new Error("Chromium is missing: apt-get install chromium");
  return found;
}

interface SessionHost {
  readonly gateway: Host;
  readonly browser: Browser;
  /** The cookies of the session that visits share, once one has signed in. */
  shared?: Awaited<ReturnType<BrowserContext["storageState"]>>;
}

async function signedIn(host: SessionHost, options: VisitOptions): Promise<Visit> {
  const { gateway, browser } = host;
  const shares = options.session === "shared";
  const context = await browser.newContext({
    ...(shares && host.shared !== undefined ? { storageState: host.shared } : {}),
    viewport: { width: options.width ?? 1280, height: 860 },
    colorScheme: options.dark === true ? "dark" : "light",
    javaScriptEnabled: options.script ?? true,
  });
  const page = await context.newPage();
  const script = options.script ?? true;
  const visit = { context, page, script, problems: watched(page, gateway.base) };
  if (shares && host.shared !== undefined) return visit;
  await signIn(page, gateway);
  if (shares) host.shared = await context.storageState();
  return visit;
}

async function signIn(page: Page, gateway: Host): Promise<void> {
  await page.goto(`${gateway.base}/dashboard`);
  await page.getByLabel("Admin token").fill(gateway.adminToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
}

/** Notes everything that a page must never do. */
function watched(page: Page, base: string): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // A refused form is answered with its status, which the console notes; that is no problem.
    if (message.type() === "error" && !text.startsWith("Failed to load resource"))
      problems.push(`console: ${text}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith("data:")) problems.push(`foreign request: ${url}`);
  });
  return problems;
}

/** An endpoint of OpenAI's kind: a list, and answers that say what was asked. */
function respond(asked: string, text: string): Script {
  if (asked.endsWith("/models"))
    return whole({ object: "list", data: listedModels.map((id) => ({ id, object: "model" })) });
  if (nextFailure.status > 0)
    return whole(
      { error: { message: nextFailure.message, type: "server_error" } },
      nextFailure.status,
    );
  if (asked.endsWith("/images/generations"))
    return whole({ created: 1, data: [{ b64_json: "AAAA" }] });
  if (asked.endsWith("/embeddings"))
    return whole({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }],
      model: "embedder",
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
  // Written by the gateway's own chat writer.
  const body = JSON.parse(text) as {
    model: string;
    stream?: boolean;
    messages: { content: unknown }[];
  };
  const words = `Answer of ${body.model}.`;
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 80,
    total_tokens: 1280,
    prompt_tokens_details: { cached_tokens: 400 },
  };
  const base = { id: "chatcmpl-1", created: 1, model: body.model };
  if (body.stream !== true) {
    const message = { role: "assistant", content: words };
    return whole({
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    });
  }
  const chunk = (more: object) =>
    `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", ...more })}\n\n`;
  const deltas = words
    .split(/(?<= )/)
    .map((content) => chunk({ choices: [{ index: 0, delta: { content } }] }));
  return stream([
    chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "" } }] }),
    ...deltas,
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
    chunk({ choices: [], usage }),
    "data: [DONE]\n\n",
  ]);
}

/** A client's call, as any tool would make it, by its key or with headers of its own. */
export function sendChat(
  gateway: Host,
  key: string | Record<string, string>,
  body: Record<string, unknown> = {},
): Promise<Response> {
  const headers = typeof key === "string" ? { authorization: `Bearer ${key}` } : key;
  return fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      model: "auto",
      messages: [{ role: "user", content: "Hello" }],
      ...body,
    }),
  });
}

export interface ConfigDocument {
  timezone?: string;
  providers: { id: string; [member: string]: unknown }[];
  harnesses: { id: string; name: string; [member: string]: unknown }[];
}

export function readConfigDocument(gateway: Host): Promise<ConfigDocument> {
  return admin<ConfigDocument>(gateway, "GET /api/config");
}
