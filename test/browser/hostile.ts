/** Texts that want to be markup, in every place where somebody else's words are shown. */
import { admin } from "../smoke/host.ts";
import { check, expect, expectSame } from "./report.ts";
import { sendChat, readConfigDocument, nextFailure, listedModels, type Stage } from "./stage.ts";

const call = "window.hit=1";
/** Forty ways to be more than a text. */
const hostile: readonly string[] = [
  `<script>${call}</script>`,
  `</script><script>${call}</script>`,
  `<img src=x onerror=${call}>`,
  `"><img src=x onerror=${call}>`,
  `'><img src=x onerror=${call}>`,
  `<svg onload=${call}>`,
  `<svg><script>${call}</script></svg>`,
  `" onmouseover="${call}" x="`,
  `' onfocus='${call}' autofocus='`,
  `javascript:${call}`,
  `<a href="javascript:${call}">x</a>`,
  `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `</textarea><script>${call}</script>`,
  `</title><script>${call}</script>`,
  `</option></select><img src=x onerror=${call}>`,
  `--><script>${call}</script>`,
  `<!--`,
  `]]><script>${call}</script>`,
  `<style>body{display:none}</style>`,
  `</style><script>${call}</script>`,
  `<link rel=stylesheet href=//evil.invalid/x.css>`,
  `<meta http-equiv=refresh content="0;url=//evil.invalid">`,
  `<base href=//evil.invalid/>`,
  `<form action=//evil.invalid><input name=token>`,
  `<template><img src=x onerror=${call}></template>`,
  `<math><mtext><img src=x onerror=${call}></mtext></math>`,
  `<details open ontoggle=${call}>`,
  `<body onload=${call}>`,
  `<object data="data:text/html,<script>${call}</script>">`,
  `&lt;script&gt;${call}&lt;/script&gt;`,
  `&#60;img src=x onerror=${call}&#62;`,
  "{{constructor.constructor('window.hit=1')()}}",
  "${window.hit=1}",
  "<%= window.hit=1 %>",
  "\u202Ereversed and \u200Bthin",
  "e\u0301".repeat(40) + "Z͑ͫ̓ͪ̂ͫ̽͏̴̙",
  "W".repeat(120),
  "../../../dashboard/sign-out?x=<b>",
  "%3Cscript%3Ewindow.hit%3D1%3C/script%3E",
  `data:text/html,<script>${call}</script>`,
];

export async function hostileTexts(stage: Stage): Promise<void> {
  const { gateway } = stage;
  await check("forty hostile texts are stored in the document", async () => {
    expectSame(hostile.length, 40, "texts");
    await admin(gateway, "PUT /api/config", await hostileDocument(stage));
    for (const name of hostile) await admin(gateway, "POST /api/harnesses/default/keys", { name });
  });
  const rows: string[] = [];
  await check("and come as model names, prompts and providers' errors", async () => {
    listedModels.push(...hostile);
    const { key } = await admin<{ key: string }>(gateway, "POST /api/harnesses/default/keys");
    for (const text of hostile) {
      Object.assign(nextFailure, { status: 500, message: text });
      const messages = [{ role: "user", content: text }];
      const answer = await sendChat(gateway, key, { model: `wild/${text}`, messages });
      await answer.text();
      rows.push(answer.headers.get("x-gateway-request-id") ?? "");
      await (await sendChat(gateway, key, { model: text, messages })).text();
    }
    Object.assign(nextFailure, { status: 0 });
  });
  await visitAll(stage, rows);
}

/** Names of harnesses, models, rules by header, aliases, parameters and headers of the provider. */
async function hostileDocument({ gateway, upstream }: Stage) {
  const before = await readConfigDocument(gateway);
  const pairs = <T>(value: (text: string, index: number) => T) =>
    Object.fromEntries(hostile.map((text, index) => [text, value(text, index)]));
  return {
    ...before,
    providers: [
      ...before.providers,
      {
        id: "wild",
        kind: "custom",
        format: "chat",
        base_url: `${upstream.url}/v1`,
        headers: Object.fromEntries(
          hostile
            .filter((text) => /^[\x20-\x7e]+$/.test(text))
            .map((text, index) => [`x-note-${index}`, text]),
        ),
        models: hostile.map((id) => ({ id, cost: { input: 1, output: 1 } })),
      },
    ],
    harnesses: [
      {
        id: "default",
        name: hostile[3],
        log_text: true,
        params: pairs((text) => text),
        aliases: pairs(() => "auto"),
        routing: {
          headers: hostile.map((text) => ({
            name: text.slice(0, 64),
            header: text.slice(0, 128),
            value: text,
            models: [text],
          })),
          fallbacks: pairs((text) => [text]),
          tiers: { simple: hostile.slice(0, 6), standard: hostile.slice(6, 12) },
        },
      },
      ...hostile.map((name, index) => ({ id: `wild-${index}`, name })),
    ],
  };
}

async function visitAll(stage: Stage, rows: readonly string[]): Promise<void> {
  const { page, context, problems } = await stage.signedIn();
  const places = [
    "",
    "?group=tier",
    "/requests",
    ...rows.map((id) => `/requests/${id}`),
    "/harnesses",
    ...["", "/routing", "/parameters", "/limits", "/general", "/delete"].map(
      (path) => `/harnesses/default${path}`,
    ),
    "/harnesses/wild-3",
    "/harnesses/wild-12/delete",
    "/providers",
    "/providers/wild?test=1",
    "/models",
    "/models?q=img",
    "/playground",
    "/connect",
    "/settings",
    "/settings/history",
    "/settings/history/2",
    "/settings/audit",
    `/settings/audit?actor=${encodeURIComponent(hostile[0] ?? "")}&from=${encodeURIComponent(hostile[3] ?? "")}`,
    ...hostile.flatMap((text) => [
      `/requests/${encodeURIComponent(text)}`,
      `/requests?model=${encodeURIComponent(text)}&harness=${encodeURIComponent(text)}`,
    ]),
    `/models?q=${encodeURIComponent(hostile[3] ?? "")}`,
    `/add-provider?kind=custom&base_url=${encodeURIComponent(hostile[3] ?? "")}`,
    `/connect?key=${encodeURIComponent(hostile[3] ?? "")}&harness=${encodeURIComponent(hostile[4] ?? "")}`,
    `?done=${encodeURIComponent(hostile[0] ?? "")}&range=${encodeURIComponent(hostile[1] ?? "")}`,
  ];
  await check(`${places.length} pages with hostile texts stay whole and inert`, async () => {
    for (const place of places) {
      await page.goto(`${stage.gateway.base}/dashboard${place}`);
      await page.locator("main h1").waitFor();
      const strange = await page.evaluate<string[]>(
        `[...document.querySelectorAll('[onerror],[onload],[onclick],[onmouseover],[onfocus],[ontoggle],iframe,object,base,meta[http-equiv],script:not([src^="/dashboard/assets/"]),link:not([href^="/dashboard/assets/"]),style,img,form:not([action^="/dashboard"]),a[href^="javascript:"]')].map((e) => e.outerHTML.slice(0, 120)).concat(window.hit ? ["a script ran"] : [])`,
      );
      expectSame(strange, [], `strange elements at ${place}`);
    }
    expectSame(problems.splice(0), [], "problems");
  });
  await check("hostile texts arrive live without harm, and open in the drawer", async () => {
    await page.goto(`${stage.gateway.base}/dashboard/requests`);
    await page.getByText("Live", { exact: true }).waitFor();
    const { key } = await admin<{ key: string }>(stage.gateway, "POST /api/harnesses/default/keys");
    const answer = await sendChat(stage.gateway, key, { model: hostile[2] });
    await answer.text();
    const row = page.locator(`tr[data-id="${answer.headers.get("x-gateway-request-id") ?? ""}"]`);
    await page.getByRole("button", { name: "1 new" }).click();
    await row.click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
    expect((await page.evaluate("window.hit")) === undefined, "a script ran");
    expectSame(problems.splice(0), [], "problems");
  });
  await check("no page grows wider than its window by them", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const place of [
      "",
      "/requests",
      "/harnesses",
      "/harnesses/default/routing",
      "/models",
      `/requests/${rows[36] ?? ""}`,
    ]) {
      await page.goto(`${stage.gateway.base}/dashboard${place}`);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect(wide <= 0, `${place} is ${wide} px too wide`);
    }
  });
  await context.close();
}
