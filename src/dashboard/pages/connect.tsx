/** Set-up to paste for every client, with a new key, and the first request turning it green. */
import { changesSince } from "../../admin/routes/requests.ts";
import { createKey } from "../../admin/routes/keys.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { listRequests } from "../../admin/routes/requests.ts";
import type { RequestView } from "../../admin/routes/request-view.ts";
import type { Config } from "../../store/config.ts";
import { Pick } from "../fields.tsx";
import { Icon } from "../icons.tsx";
import { field, formOf } from "../shared/forms.ts";
import { Page } from "../layout.tsx";
import { Badge, Card, Copy } from "../parts.tsx";
import { harnessOf } from "../../admin/shared/harness.ts";
import { originOf, type PageApp, type PageContext, type Viewer } from "../shared/page-context.ts";
import { snippets } from "../snippets.ts";

/** Stands in the set-ups while there is no key. */
const noKey = "YOUR_KEY";

export function connectRoutes(app: PageApp): void {
  app.get("/connect", async (c) => {
    const key = c.req.query("key");
    return await show(c, key === undefined ? {} : { waiting: { id: key } });
  });
  app.post("/connect", async (c) => {
    const { viewer } = c.var;
    const form = await formOf(c.req.raw);
    const config = await readConfig(viewer.scope);
    const harness = harnessOf(config, field(form, "harness"));
    const client = snippets({ origin: "", key: "" }).find(({ id }) => id === field(form, "client"));
    const name = client?.name ?? "client";
    const made = await createKey(viewer.scope, harness.id, { name });
    // Not a redirect: this answer is the only place where the key's text ever stands.
    return await show(c, { waiting: { id: made.id, text: made.key }, harness: harness.id });
  });
}

interface More {
  /** The key whose first request is waited for. */
  waiting?: { id: string; text?: string };
  harness?: string;
}

async function show(c: PageContext, more: More): Promise<Response> {
  const { viewer } = c.var;
  const [config, { seq }] = await Promise.all([
    readConfig(viewer.scope),
    changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
  ]);
  const arrived = more.waiting === undefined ? undefined : await firstOf(viewer, more.waiting.id);
  const chosen = more.harness ?? c.req.query("harness") ?? config.harnesses?.[0]?.id ?? "";
  return c.html(
    <ConnectPage
      {...{ viewer, config, seq, chosen, arrived }}
      waiting={more.waiting}
      origin={originOf(c)}
    />,
  );
}

/** A request that came with this key, among the newest. */
async function firstOf(viewer: Viewer, key: string): Promise<RequestView | undefined> {
  const { data } = await listRequests(viewer.scope, { limit: 100 });
  return data.find(({ key_id: id }) => id === key);
}

interface ConnectProps {
  viewer: Viewer;
  config: Config;
  seq: number;
  chosen: string;
  origin: string;
  waiting: More["waiting"];
  arrived: RequestView | undefined;
}

function ConnectPage(props: ConnectProps) {
  const { viewer, config, chosen, waiting, origin } = props;
  const harnesses = (config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const key = waiting?.text ?? noKey;
  return (
    <Page
      viewer={viewer}
      title="Connect"
      lead="Make a key, paste the set-up, and watch the first request arrive."
    >
      <Card title={waiting?.text === undefined ? "1. Make a key" : "1. Your key"}>
        {waiting?.text === undefined ? (
          harnesses.length === 0 ? (
            <p>
              There is nobody to hold a key yet.{" "}
              <a href="/dashboard/harnesses">{`Make ${viewer.words.holder === "agent" ? "an agent" : "a harness"}`}</a>
              .
            </p>
          ) : (
            <form method="post" action="/dashboard/connect" class="inline">
              <Pick name="harness" label={viewer.words.Holder} value={chosen} choices={harnesses} />
              <button type="submit" class="primary">
                <Icon name="plus" /> Make a key
              </button>
            </form>
          )
        ) : (
          <>
            <p class="hint">It is shown this once, and stands in every set-up below.</p>
            <Copy text={waiting.text} label="Your new key" />
          </>
        )}
      </Card>
      <Setups origin={origin} keyText={key} />
      <Waiting {...props} />
    </Page>
  );
}

/** Folds of one group: without script one opens at a time by name, with none it is a list of folds all the same. */
function Setups({ origin, keyText }: { origin: string; keyText: string }) {
  return (
    <Card
      title="2. Paste the set-up"
      lead={keyText === noKey ? `${noKey} becomes your key once you made one above.` : undefined}
    >
      <div class="folds">
        {snippets({ origin, key: keyText }).map(({ id, name, parts }, index) => (
          <details name="setup" id={id} open={index === 0}>
            <summary>{name}</summary>
            {parts.map(({ label, text }) => (
              <div>
                <p class="label">{label}</p>
                <Copy text={text} label={`${name}: ${label}`} />
              </div>
            ))}
          </details>
        ))}
      </div>
    </Card>
  );
}

function Waiting({ waiting, arrived, seq }: ConnectProps) {
  const link =
    waiting === undefined
      ? "/dashboard/connect"
      : `/dashboard/connect?key=${encodeURIComponent(waiting.id)}`;
  return (
    <Card title="3. The first request">
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
            <p data-waiting-words>Waiting for your first request…</p>
            <p class="hint" data-waiting-hint>
              {waiting === undefined ? (
                "Of any key. This turns green by itself when it arrives."
              ) : (
                <>
                  This turns green by itself; without script, <a href={link}>look again</a>.
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
              <a href={`/dashboard/requests/${encodeURIComponent(arrived.id)}`}>
                See what happened to it
              </a>
            </p>
          </div>
        </div>
      )}
    </Card>
  );
}
