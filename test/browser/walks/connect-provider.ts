/** Adding a provider, as tasks: a wrong key, an unreachable address, a local server, and providers of real shapes. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator } from "playwright-core";
import { admin } from "../../smoke/host.ts";
import { expect, expectSame } from "../report.ts";
import { type ConfigDocument, readConfigDocument, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

const rightKey = "sk-test-right-key-0123456789";
const wrongKey = "sk-test-wrong-key-0123456789";

export async function connectProvider(stage: Stage): Promise<void> {
  const openAi = await serve(openAiAnswer);
  const anthropic = await serve(anthropicAnswer);
  const ollama = await serve(openAiAnswer, 11_434);
  try {
    await walkEachWay(stage, "a wrong key", (walk) => mendKey(walk, openAi));
    await walkEachWay(stage, "an unreachable address", unreachable);
    await walkEachWay(stage, "a local server", addLocal);
    await walkEachWay(stage, "a provider like OpenAI", (walk) =>
      addAndAsk(walk, {
        kind: "openai",
        server: openAi,
        newest: "gpt-5.2",
        said: "Hello from gpt-5.2.",
      }),
    );
    await walkEachWay(stage, "a provider like Anthropic", (walk) =>
      addAndAsk(walk, {
        kind: "anthropic",
        server: anthropic,
        newest: "claude-sonnet-4-6",
        said: "Hello from claude-sonnet-4-6.",
      }),
    );
    await walkEachWay(stage, "a saved provider whose key is replaced", (walk) =>
      changeKey(walk, openAi),
    );
  } finally {
    for (const { server } of [openAi, anthropic, ollama]) server.close();
  }
}

interface Scripted {
  server: Server;
  /** `http://127.0.0.1:<port>/v1`. */
  base: string;
}

async function serve(
  answer: (request: IncomingMessage, text: string) => [status: number, body: unknown],
  port = 0,
): Promise<Scripted> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const [status, body] = answer(request, text);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A listening TCP server has such an address.
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

const day = (iso: string) => Date.parse(iso) / 1000;

/** The local server wants no key; one that is sent must be right. */
function openAiAnswer({ url, headers }: IncomingMessage, text: string): [number, unknown] {
  const sent = headers.authorization;
  if (sent !== undefined && sent !== `Bearer ${rightKey}`)
    return [
      401,
      { error: { message: `Incorrect API key provided: ${sent}`, code: "invalid_api_key" } },
    ];
  if (url?.startsWith("/v1/models") === true)
    return [
      200,
      {
        object: "list",
        data: [
          { id: "gpt-4o-mini", object: "model", created: day("2024-07-16") },
          { id: "gpt-5.2", object: "model", created: day("2025-12-09") },
          { id: "gpt-5-mini", object: "model", created: day("2025-08-05") },
        ],
      },
    ];
  // Written by the gateway's own chat writer.
  const { model } = JSON.parse(text) as { model: string };
  const message = { role: "assistant", content: `Hello from ${model}.` };
  return [
    200,
    {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 },
    },
  ];
}

function anthropicAnswer({ url, headers }: IncomingMessage, text: string): [number, unknown] {
  if (headers["x-api-key"] !== rightKey)
    return [
      401,
      { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
    ];
  if (url?.startsWith("/v1/models") === true)
    return [
      200,
      {
        data: [
          { type: "model", id: "claude-haiku-4-5", created_at: "2025-10-15T00:00:00Z" },
          { type: "model", id: "claude-sonnet-4-6", created_at: "2026-02-17T00:00:00Z" },
        ],
        has_more: false,
        first_id: "claude-haiku-4-5",
        last_id: "claude-sonnet-4-6",
      },
    ];
  // Written by the gateway's own Messages writer.
  const { model } = JSON.parse(text) as { model: string };
  return [
    200,
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [{ type: "text", text: `Hello from ${model}.` }],
      stop_reason: "end_turn",
      usage: { input_tokens: 12, output_tokens: 6 },
    },
  ];
}

const button = ({ page }: Walk, name: string) => page.getByRole("button", { name, exact: true });

/** The form of a kind whose address is the scripted provider's. */
async function beginAdding(walk: Walk, kind: string, id: string): Promise<void> {
  const { page } = walk;
  await walk.open(`/add-provider?kind=${kind}`);
  await walk.fill(page.getByLabel("ID", { exact: true }), id);
}

async function fillBaseUrl(walk: Walk, address: string): Promise<void> {
  const { page } = walk;
  const field = page.getByLabel("Base URL");
  if (!(await field.isVisible())) await walk.press(page.getByText("More settings"));
  await walk.fill(field, address);
}

async function providerNamed(
  { stage }: Walk,
  id: string,
): Promise<ConfigDocument["providers"][number] | undefined> {
  const { providers } = await readConfigDocument(stage.gateway);
  return providers.find((entry) => entry.id === id);
}

/** One outcome, one alert; and no secret in the page. */
async function saysOnce({ page }: Walk, words: string): Promise<void> {
  await page.locator(".alert", { hasText: words }).waitFor();
  expectSame(await page.locator(".alert").count(), 1, "alerts");
  const html = await page.content();
  expect(!html.includes(rightKey) && !html.includes(wrongKey), "a key stands in the page");
}

async function faultAt(field: Locator, page: Walk["page"]): Promise<string> {
  expectSame(await field.getAttribute("aria-invalid"), "true", "the field is marked");
  const by = (await field.getAttribute("aria-describedby")) ?? "";
  const fault = by.split(" ").find((id) => id.endsWith("-fault")) ?? "";
  return (await page.locator(`#${fault}`).textContent()) ?? "";
}

async function mendKey(walk: Walk, { base }: Scripted): Promise<void> {
  const { page, turn } = walk;
  const id = `mended-${turn}`;
  await beginAdding(walk, "openai", id);
  await fillBaseUrl(walk, base);
  await walk.fill(page.getByLabel("API key", { exact: true }), `"${wrongKey}" `);
  await walk.press(button(walk, "Test connection"));
  await saysOnce(walk, "Connection failed.");
  expectSame(await page.title(), "Connection failed: Add OpenAI · Gateway", "the title");
  const fault = await faultAt(page.getByLabel("API key", { exact: true }), page);
  expect(fault.includes("refused this API key (HTTP 401)"), `the cause: ${fault}`);
  expect(!fault.includes("wrong-key"), `the key is quoted: ${fault}`);
  await walk.look();
  expectSame(await page.getByLabel("ID", { exact: true }).inputValue(), id, "the ID");
  expectSame(await page.getByLabel("Base URL").inputValue(), base, "the base URL");
  await walk.fill(page.getByLabel("API key", { exact: true }), rightKey);
  await walk.press(button(walk, "Test connection"));
  await saysOnce(walk, "Connection works.");
  await walk.look();
  await page.goBack();
  await saysOnce(walk, "Connection failed.");
  await page.goForward();
  await saysOnce(walk, "Connection works.");
  await walk.press(button(walk, "Add without an answer"));
  await saysOnce(walk, "Provider added.");
  expectSame(
    (await providerNamed(walk, id))?.["api_key"],
    "***",
    "the key that was entered before",
  );
  await walk.look();
}

/** Nobody listens there: the port of discarded things. */
const nowhere = "http://127.0.0.1:9/v1";

async function unreachable(walk: Walk): Promise<void> {
  const { page, turn } = walk;
  const id = `away-${turn}`;
  await beginAdding(walk, "custom", id);
  await walk.fill(page.getByLabel("Base URL"), nowhere);
  await walk.fill(page.getByLabel("API key (optional)"), rightKey);
  expectSame(await button(walk, "Save anyway").count(), 0, "before a test nothing can be saved");
  await walk.press(button(walk, "Test connection"));
  await saysOnce(walk, "Connection failed.");
  const fault = await faultAt(page.getByLabel("Base URL"), page);
  expect(/127\.0\.0\.1 on port 9: the connection was refused/.test(fault), `the cause: ${fault}`);
  await walk.look();
  expectSame(await providerNamed(walk, id), undefined, "what is saved");
  await walk.press(button(walk, "Save anyway"));
  await saysOnce(walk, "Saved, although the test failed.");
  const saved = await providerNamed(walk, id);
  expectSame([saved?.["base_url"], saved?.["api_key"]], [nowhere, "***"], "the saved provider");
}

async function addLocal(walk: Walk): Promise<void> {
  const { page } = walk;
  await walk.open("/providers");
  await walk.press(page.getByRole("link", { name: "Find local servers" }));
  await page.getByText("http://127.0.0.1:11434/v1").waitFor();
  await walk.look();
  await walk.press(page.getByRole("button", { name: /^Add Ollama/ }));
  await saysOnce(walk, "Provider added.");
  await page.getByRole("cell", { name: "gpt-5.2" }).waitFor();
  const prices = page
    .getByRole("row", { name: /gpt-5\.2/ })
    .getByRole("cell", { name: "$0", exact: true });
  expectSame(await prices.count(), 2, "prices of nothing");
  await walk.look();
}

interface Real {
  readonly kind: "openai" | "anthropic";
  readonly server: Scripted;
  readonly newest: string;
  readonly said: string;
}

async function addAndAsk(walk: Walk, { kind, server, newest, said }: Real): Promise<void> {
  const { page, turn } = walk;
  const id = `${kind}-${turn}`;
  await beginAdding(walk, kind, id);
  await fillBaseUrl(walk, server.base);
  await walk.fill(page.getByLabel("API key", { exact: true }), rightKey);
  await walk.press(button(walk, "Test connection"));
  await saysOnce(walk, "Connection works.");
  const models = page.getByRole("radio");
  expectSame(await models.first().getAttribute("value"), newest, "the newest model stands first");
  const row = page.getByRole("row", { name: new RegExp(newest.replaceAll(".", "\\.")) });
  expect(/\$\d/.test((await row.textContent()) ?? ""), "its price is shown");
  expectSame(await providerNamed(walk, id), undefined, "what is saved before an answer");
  await walk.look();
  await walk.press(button(walk, "Get a first answer and add"));
  await page.getByText(said).waitFor();
  await saysOnce(walk, "Provider added.");
  expectSame((await providerNamed(walk, id))?.["api_key"], "***", "the key");
  await walk.look();
}

async function changeKey(walk: Walk, { base }: Scripted): Promise<void> {
  const { page, stage, turn } = walk;
  const id = `changed-${turn}`;
  const config = await readConfigDocument(stage.gateway);
  const entry = { id, kind: "custom", format: "chat", base_url: base, api_key: rightKey };
  await admin(stage.gateway, "PUT /api/config", {
    ...config,
    providers: [...config.providers, entry],
  });
  await walk.open(`/providers/${id}`);
  await walk.fill(page.getByLabel("API key (optional)"), wrongKey);
  await walk.press(button(walk, "Save"));
  await saysOnce(walk, "Connection failed.");
  await walk.look();
  await walk.press(page.getByRole("main").getByRole("button", { name: "Test connection" }));
  await saysOnce(walk, "Connection works.");
}
