/** Connects a client: a new key, configuration to paste, and the first request as it arrives. */
import { ActionForm } from "../../components/guarded.tsx";
import { changesSince } from "../../../admin/routes/requests/requests.ts";
import { createKey } from "../../../admin/routes/document/keys.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { listRequests } from "../../../admin/routes/requests/requests.ts";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import type { Config } from "../../../store/config.ts";
import { Select } from "../../components/fields.tsx";
import { Icon } from "../../shared/icons.tsx";
import { field, formOf } from "../../shared/forms.ts";
import { Page } from "../../components/frame/layout.tsx";
import { Badge, Card, CopyBlock } from "../../components/display.tsx";
import { harnessOf } from "../../../admin/shared/document/harness.ts";
import { claudeCodeEnvironment } from "../../../routing/models/claude-code-environment.ts";

import {
  loadDirectory,
  originOf,
  type PageApp,
  type PageContext,
  type PageServices,
  type Viewer,
} from "../../shared/page-context.ts";
import { shellNames } from "./shells.ts";
import { clientSnippets, snippetGroups, type ClientSnippet } from "./snippets.ts";

/** Used in the snippets until a key is created. */
const noKey = "YOUR_KEY";

/** Registers the page. */
export function connectRoutes(app: PageApp, services: PageServices): void {
  app.get("/connect", async (c) => {
    const key = c.req.query("key");
    return await showConnect(c, services, key === undefined ? {} : { waiting: { id: key } });
  });
  app.post("/connect", async (c) => {
    const { viewer } = c.var;
    const form = await formOf(c.req.raw);
    const config = await readConfig(viewer.scope);
    const harness = harnessOf(config, field(form, "harness"));
    const client = clientSnippets({ origin: "", key: "" }).find(
      ({ id }) => id === field(form, "client"),
    );
    const name = client?.name ?? "client";
    const created = await createKey(viewer.scope, harness.id, { name });
    // Not a redirect: the key is shown in this response only.
    return await showConnect(c, services, {
      waiting: { id: created.id, text: created.key },
      harness: harness.id,
    });
  });
}

interface PageState {
  /** The key whose first request is awaited; `text` while it is shown. */
  waiting?: { id: string; text?: string };
  harness?: string;
}

async function showConnect(
  c: PageContext,
  services: PageServices,
  state: PageState,
): Promise<Response> {
  const { viewer } = c.var;
  const [{ config, directory }, { seq }] = await Promise.all([
    loadDirectory(c, services),
    changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
  ]);
  const arrived =
    state.waiting === undefined ? undefined : await findFirstRequest(viewer, state.waiting.id);
  const chosen = state.harness ?? c.req.query("harness") ?? config.harnesses?.[0]?.id ?? "";
  return c.html(
    <ConnectPage
      {...{ viewer, config, seq, chosen, arrived }}
      waiting={state.waiting}
      origin={originOf(c)}
      claudeCode={claudeCodeEnvironment(
        config.harnesses?.find(({ id }) => id === chosen),
        directory.models,
      )}
    />,
  );
}

/** A request with this key, among the newest. */
async function findFirstRequest(viewer: Viewer, key: string): Promise<RequestView | undefined> {
  const { data } = await listRequests(viewer.scope, { limit: 100 });
  return data.find(({ key_id: id }) => id === key);
}

interface ConnectProps {
  viewer: Viewer;
  config: Config;
  seq: number;
  chosen: string;
  origin: string;
  /** The environment of Claude Code. */
  claudeCode: Readonly<Record<string, string>>;
  waiting: PageState["waiting"];
  arrived: RequestView | undefined;
}

function ConnectPage(props: ConnectProps) {
  const { viewer, config, chosen, waiting, origin, claudeCode } = props;
  const harnesses = (config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const key = waiting?.text ?? noKey;
  return (
    <Page
      viewer={viewer}
      title="Connect"
      lead="Create a key, configure your client, and watch the first request arrive."
    >
      <Card title={waiting?.text === undefined ? "1. Create a key" : "1. Your key"}>
        {waiting?.text === undefined ? (
          harnesses.length === 0 ? (
            <p>
              <a href="/dashboard/harnesses">{`Create ${viewer.words.holder === "agent" ? "an agent" : "a harness"}`}</a>{" "}
              first.
            </p>
          ) : (
            <ActionForm viewer={viewer} action="/dashboard/connect" class="inline">
              <Select
                name="harness"
                label={viewer.words.Holder}
                value={chosen}
                options={harnesses}
              />
              <button type="submit" class="primary">
                <Icon name="plus" /> Create key
              </button>
            </ActionForm>
          )
        ) : (
          <>
            <p class="hint">Copy it now: it is shown only once. The snippets below contain it.</p>
            <CopyBlock text={waiting.text} label="Your new key" />
          </>
        )}
      </Card>
      <Snippets origin={origin} keyText={key} claudeCode={claudeCode} />
      <FirstRequest {...props} />
    </Page>
  );
}

/** One fold a client; the shared name keeps one open at a time, without JavaScript. */
function Snippets({
  origin,
  keyText,
  claudeCode,
}: Pick<ConnectProps, "origin" | "claudeCode"> & { keyText: string }) {
  return (
    <Card
      title="2. Configure your client"
      lead={keyText === noKey ? "Create a key above to fill it in." : undefined}
    >
      <ShellChoice />
      {snippetGroups({ origin, key: keyText, claudeCode }).map(({ name, clients }, group) => (
        <div class="folds">
          <h3>{name}</h3>
          {clients.map((client, index) => (
            <ClientFold client={client} open={group + index === 0} />
          ))}
        </div>
      ))}
    </Card>
  );
}

/** Without JavaScript the lines of every shell are shown. */
function ShellChoice() {
  const options = Object.entries(shellNames).map(([value, label]) => ({ value, label }));
  return (
    <div class="shell-choice" data-shell-choice hidden>
      <Select name="shell" label="Shell" value="sh" options={options} />
    </div>
  );
}

function ClientFold({ client, open }: { client: ClientSnippet; open: boolean }) {
  const { id, name, guide, command, steps } = client;
  return (
    <details name="setup" id={id} open={open}>
      <summary>{name}</summary>
      {command !== undefined && (
        <div>
          <p class="label">One command</p>
          <CopyBlock text={command} label={`${name}: one command`} />
          <p class="hint">Or set it up by hand:</p>
        </div>
      )}
      {steps.map(({ label, text, shells }) => (
        <div data-shells={shells?.join(" ")}>
          <p class="label">{label}</p>
          <CopyBlock text={text} label={`${name}: ${label}`} />
        </div>
      ))}
      <p class="hint">
        <a href={guide}>Guide to {name}</a>: models, testing, disconnecting, troubleshooting.
      </p>
    </details>
  );
}

function FirstRequest({ waiting, arrived, seq }: ConnectProps) {
  const link =
    waiting === undefined
      ? "/dashboard/connect"
      : `/dashboard/connect?key=${encodeURIComponent(waiting.id)}`;
  return (
    <Card title="3. First request">
      {arrived === undefined ? (
        <div
          class="waiting"
          id="waiting"
          role="status"
          data-since={seq}
          data-key={waiting?.id ?? ""}
        >
          <span class="pulse" aria-hidden="true"></span>
          <div>
            <p data-waiting-text>Waiting for your first request…</p>
            <p class="hint" data-waiting-hint>
              {waiting === undefined ? (
                "From any key. This page updates when it arrives."
              ) : (
                <>
                  This page updates automatically. Without JavaScript, <a href={link}>reload it</a>.
                </>
              )}
            </p>
          </div>
        </div>
      ) : (
        <div class="waiting arrived" role="status">
          <span class="pulse" aria-hidden="true"></span>
          <div>
            <p>
              Your first request arrived:{" "}
              <Badge tone={arrived.status < 400 ? "good" : "bad"}>{arrived.status}</Badge>
            </p>
            <p class="hint">
              <a href={`/dashboard/requests/${encodeURIComponent(arrived.id)}`}>Show the request</a>
            </p>
          </div>
        </div>
      )}
    </Card>
  );
}
