/** Harnesses: the list, a new one, keys, names, duplicates, the end. */
import { createKey, deleteKey, listKeys } from "../../admin/routes/keys.ts";
import { editConfig, readConfig } from "../../admin/routes/config.ts";
import { listLimits } from "../../admin/routes/limits.ts";
import { tryChange, fault, type Fault, field, formOf, idFrom } from "../shared/forms.ts";
import { Field } from "../fields.tsx";
import { editHarness, withMember } from "../harness-edit.ts";
import { Icon } from "../icons.tsx";
import { Page } from "../layout.tsx";
import { Badge, Card, Empty, FormFault } from "../parts.tsx";
import { harnessOf } from "../../admin/shared/harness.ts";
import { type PageApp, type PageContext, parameter, type Viewer } from "../shared/page-context.ts";
import type { Config } from "../../store/config.ts";
import { Confirm } from "./confirm.tsx";
import { GeneralPage } from "./harness-general.tsx";
import { harnessPath } from "./harness-frame.tsx";
import { KeysPage } from "./keys.tsx";

export function harnessRoutes(app: PageApp): void {
  app.get("/harnesses", async (c) => {
    const config = await readConfig(c.var.viewer.scope);
    return c.html(await ListPage({ viewer: c.var.viewer, config }));
  });
  app.post("/harnesses", createHarness);
  app.get("/harnesses/:id", (c) => showKeys(c, {}));
  keyRoutes(app);
  generalRoutes(app);
}

async function createHarness(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const name = field(await formOf(c.req.raw), "name");
  let id = "";
  const outcome = await tryChange(async () => {
    if (name === "") throw fault("name", "give it a name");
    await editConfig(viewer.scope, (config) => {
      const harnesses = config.harnesses ?? [];
      id = idFrom(
        name,
        harnesses.map((entry) => entry.id),
        viewer.words.holder,
      );
      const aliases = { "claude-*": "auto", "gpt-*": "auto" };
      return { ...config, harnesses: [...harnesses, { id, name, aliases }] };
    });
  });
  if (outcome.ok) return c.redirect(`${harnessPath(id)}?done=created`, 303);
  const config = await readConfig(viewer.scope);
  return c.html(await ListPage({ viewer, config, fault: outcome.fault, name }), 422);
}

interface ListProps {
  viewer: Viewer;
  config: Config;
  fault?: Fault;
  name?: string;
}

async function ListPage({ viewer, config, fault: wrong, name }: ListProps) {
  const { scope, words } = viewer;
  const harnesses = config.harnesses ?? [];
  const limits = await listLimits(scope);
  const keys = await Promise.all(harnesses.map(({ id }) => listKeys(scope, id)));
  return (
    <Page
      viewer={viewer}
      title={words.Holders}
      lead={`Each ${words.holder} holds keys and says how its requests are routed and limited.`}
    >
      {harnesses.length === 0 ? (
        <Empty title={`No ${words.holder} yet.`}>
          <p>Make one below: one for each tool or team that calls this gateway.</p>
        </Empty>
      ) : (
        <ul class="tiles">
          {harnesses.map((harness, index) => {
            const own = limits.filter((limit) => limit.harness === harness.id);
            const tight = own.some(({ used, max }) => used >= max);
            return (
              <li class="tile">
                <h2>
                  <a href={harnessPath(harness.id)}>{harness.name}</a>
                </h2>
                <p class="sub">
                  <code>{harness.id}</code>
                </p>
                <p class="badges">
                  <Badge tone="plain">{plural(keys[index]?.length ?? 0, "key")}</Badge>
                  <Badge tone="accent">
                    {harness.routing?.auto === false
                      ? "routing off"
                      : `routing ${harness.routing?.quality ?? "balanced"}`}
                  </Badge>
                  {own.length === 0 ? null : (
                    <Badge tone={tight ? "bad" : "plain"}>
                      {tight ? "limit reached" : plural(own.length, "limit")}
                    </Badge>
                  )}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      <Card title={`New ${words.holder}`}>
        <FormFault fault={wrong} fields={["name"]} />
        <form method="post" action="/dashboard/harnesses" class="inline">
          <Field
            name="name"
            label="Name"
            value={name}
            placeholder="Claude Code on my laptop"
            fault={wrong}
            required
          />
          <button class="primary" type="submit">
            <Icon name="plus" /> Create
          </button>
        </form>
      </Card>
    </Page>
  );
}

function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

async function showKeys(
  c: PageContext,
  more: { fault?: Fault; made?: { name: string; key: string } },
): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  const harness = harnessOf(config, parameter(c, "id"));
  const keys = await listKeys(viewer.scope, harness.id);
  const timezone = config.timezone ?? "UTC";
  return c.html(
    <KeysPage {...{ viewer, harness, keys, timezone, ...more }} />,
    more.fault === undefined ? 200 : 422,
  );
}

function keyRoutes(app: PageApp): void {
  app.post("/harnesses/:id/keys", async (c) => {
    const form = await formOf(c.req.raw);
    const name = field(form, "name");
    const expires = field(form, "expires_at");
    const outcome = await tryChange(async () => {
      if (name.length > 200) throw fault("name", "is longer than 200 characters");
      // The field has no time zone of its own; its label says UTC.
      const time =
        expires === "" ? null : new Date(`${expires}${expires.includes("T") ? "Z" : ""}`);
      if (time !== null && !Number.isFinite(time.getTime()))
        throw fault("expires_at", "is not a time");
      if (time !== null && time.getTime() <= Date.now())
        throw fault("expires_at", "lies in the past");
      const wish = { name, expires_at: time === null ? null : time.toISOString() };
      return await createKey(c.var.viewer.scope, parameter(c, "id"), wish);
    });
    if (!outcome.ok) return await showKeys(c, { fault: outcome.fault });
    // Not a redirect: this answer is the only place where the key's text ever stands.
    return await showKeys(c, { made: outcome.value });
  });
  app.get("/harnesses/:id/keys/:key/delete", async (c) => {
    const { viewer } = c.var;
    const id = parameter(c, "id");
    const keys = await listKeys(viewer.scope, id);
    const key = keys.find((entry) => entry.id === parameter(c, "key"));
    return c.html(
      <Confirm
        viewer={viewer}
        title="Revoke this key?"
        words={`${key?.name === "" || key === undefined ? "The key" : key.name} …${key?.last4 ?? ""} stops working at once, everywhere. This cannot be undone.`}
        action={`${harnessPath(id)}/keys/${encodeURIComponent(parameter(c, "key"))}/delete`}
        button="Revoke the key"
        back={harnessPath(id)}
      />,
    );
  });
  app.post("/harnesses/:id/keys/:key/delete", async (c) => {
    const id = parameter(c, "id");
    await deleteKey(c.var.viewer.scope, id, parameter(c, "key"));
    return c.redirect(`${harnessPath(id)}?done=revoked`, 303);
  });
}

function generalRoutes(app: PageApp): void {
  app.get("/harnesses/:id/general", async (c) => {
    const { viewer } = c.var;
    const harness = harnessOf(await readConfig(viewer.scope), parameter(c, "id"));
    return c.html(<GeneralPage {...{ viewer, harness }} />);
  });
  app.post("/harnesses/:id/general", async (c) => {
    const { viewer } = c.var;
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    const name = field(form, "name");
    const outcome = await tryChange(() => {
      if (name === "") throw fault("name", "give it a name");
      const aliases = aliasesOf(field(form, "aliases"));
      return editHarness(viewer.scope, id, (harness) => ({
        ...withMember(
          withMember(harness, "aliases", aliases),
          "log_text",
          form.has("log_text") ? true : undefined,
        ),
        name,
      }));
    });
    if (outcome.ok) return c.redirect(`${harnessPath(id)}/general?done=saved`, 303);
    const harness = harnessOf(await readConfig(viewer.scope), id);
    return c.html(<GeneralPage {...{ viewer, harness, form, fault: outcome.fault }} />, 422);
  });
  app.post("/harnesses/:id/duplicate", duplicate);
  app.get("/harnesses/:id/delete", async (c) => {
    const { viewer } = c.var;
    const harness = harnessOf(await readConfig(viewer.scope), parameter(c, "id"));
    const keys = await listKeys(viewer.scope, harness.id);
    return c.html(
      <Confirm
        viewer={viewer}
        title={`Delete ${harness.name}?`}
        words={`Its ${plural(keys.length, "key")} stop working at once, and its routing, parameters and limits are gone. Its requests stay in the log.`}
        action={`${harnessPath(harness.id)}/delete`}
        button={`Delete the ${viewer.words.holder}`}
        back={`${harnessPath(harness.id)}/general`}
      />,
    );
  });
  app.post("/harnesses/:id/delete", async (c) => {
    const { viewer } = c.var;
    const id = parameter(c, "id");
    await editConfig(viewer.scope, (config) => {
      harnessOf(config, id);
      return { ...config, harnesses: (config.harnesses ?? []).filter((entry) => entry.id !== id) };
    });
    return c.redirect("/dashboard/harnesses?done=deleted", 303);
  });
}

async function duplicate(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  let id = "";
  await editConfig(viewer.scope, (config) => {
    const harnesses = config.harnesses ?? [];
    const source = harnessOf(config, parameter(c, "id"));
    id = idFrom(
      source.id,
      harnesses.map((entry) => entry.id),
      viewer.words.holder,
    );
    const copy = { ...source, id, name: `${source.name} (copy)`.slice(0, 200) };
    return { ...config, harnesses: [...harnesses, copy] };
  });
  return c.redirect(`${harnessPath(id)}/general?done=duplicated`, 303);
}

/** One `name = model` a line. */
function aliasesOf(text: string): Record<string, string> {
  const pairs = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return Object.fromEntries(
    pairs.map((line) => {
      const at = line.lastIndexOf("=");
      const [name, target] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      if (at < 1 || name === "" || target === "")
        throw fault("aliases", `write ${JSON.stringify(line.slice(0, 60))} as: name = model`);
      return [name, target];
    }),
  );
}
