/** One provider: a new one, or a connected one with its health, its models and its settings. */
import { recordOf } from "../../providers/catalogue/kinds.ts";
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { ProviderEntry } from "../../store/config.ts";
import type { StatusView } from "../../admin/routes/system.ts";
import type { Discovery } from "../../admin/routes/providers.ts";
import type { ProviderTest } from "../../providers/models/test-connection.ts";
import type { Fault } from "../shared/forms.ts";
import { Page } from "../layout.tsx";
import { Ago, Alert, Card, ModelName, Table } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";
import { count, dollars, milliseconds } from "../shared/readable-values.ts";
import { ProviderForm } from "./provider-form.tsx";

/** What an endpoint answered that was only tried. */
export type Tried = Discovery;

/** Only a gateway on somebody's own machine can see what else runs there. */
export function localServersOffered(viewer: Viewer): boolean {
  return viewer.mode === "self-hosted";
}

interface NewProps {
  viewer: Viewer;
  kind: string;
  form: URLSearchParams;
  fault?: Fault;
  tried?: Tried;
}

export function NewProviderPage({ viewer, kind, form, fault, tried }: NewProps) {
  const name = recordOf(kind)?.name ?? kind;
  return (
    <Page
      viewer={viewer}
      title={`Connect ${name}`}
      lead={<a href="/dashboard/providers">Providers</a>}
    >
      <Card>
        <TriedAnswer tried={tried} />
        <ProviderForm {...{ kind, form, fault }} />
      </Card>
    </Page>
  );
}

interface ProviderProps {
  viewer: Viewer;
  /** As it is shown: secrets masked. */
  entry: ProviderEntry;
  form: URLSearchParams;
  models: readonly ListedModel[];
  status: StatusView;
  fault?: Fault;
  tried?: Tried;
  test?: ProviderTest;
}

export function ProviderPage(props: ProviderProps) {
  const { viewer, entry, form, fault, tried, test } = props;
  const path = `/dashboard/providers/${encodeURIComponent(entry.id)}`;
  const name = recordOf(entry.kind)?.name ?? entry.kind;
  return (
    <Page
      viewer={viewer}
      title={entry.id}
      lead={
        <>
          <a href="/dashboard/providers">Providers</a> / {name}
        </>
      }
      actions={
        <form method="post" action={`${path}/test`}>
          <button type="submit">Test the connection</button>
        </form>
      }
    >
      <TestAnswer test={test} />
      <Health {...props} />
      <Models {...props} />
      <Card title="Settings">
        <TriedAnswer tried={tried} />
        <ProviderForm
          {...{ kind: entry.kind, form, fault }}
          stored={{ hasKey: entry.api_key !== undefined }}
        />
      </Card>
      <Card title="Delete">
        <p class="hint">Requests for its models are refused from then on.</p>
        <p>
          <a class="button danger" href={`${path}/delete`}>
            Delete…
          </a>
        </p>
      </Card>
    </Page>
  );
}

function TestAnswer({ test }: { test: ProviderTest | undefined }) {
  if (test === undefined) return null;
  const facts = `HTTP ${test.status}, ${test.models} models, ${milliseconds(test.ms)}`;
  return (
    <Alert kind={test.ok ? "good" : "bad"}>
      <strong>{test.ok ? "The connection works." : "The connection does not work."}</strong>{" "}
      <span class="anywhere">{test.message}</span> <span class="muted">{facts}</span>
      {test.ok ? null : <p>{adviceFor(test.status)}</p>}
    </Alert>
  );
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return "Check the API key and whether it may list models.";
  if (status === 404)
    return "Check the address: it usually ends where the format's own paths begin, often in /v1.";
  if (status === 429) return "The provider wants fewer requests; try again in a minute.";
  return "Check that the address is right and the server runs.";
}

function TriedAnswer({ tried }: { tried: Tried | undefined }) {
  if (tried === undefined) return null;
  if (!tried.ok)
    return (
      <Alert kind="bad">
        <strong>That does not work yet.</strong> <span class="anywhere">{tried.message}</span>
      </Alert>
    );
  return (
    <Alert kind="good">
      <strong>{`It answers, with ${tried.models.length} models.`}</strong> Nothing is saved yet.
      <ul class="chips">
        {tried.models.slice(0, 40).map((id) => (
          <li>
            <code>{id}</code>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

function Health({ entry, status }: ProviderProps) {
  const cooling = Object.entries(status.cooling).filter(([id]) => id.startsWith(`${entry.id}/`));
  if (cooling.length === 0) return null;
  return (
    <Card title="Cooling down" lead="These failed a moment ago and are tried last until then.">
      <Table caption="Models that are cooling down" head={["Model", "Until"]}>
        {cooling.map(([id, until]) => (
          <tr>
            <td>
              <ModelName id={id} />
            </td>
            <td>
              <Ago iso={until} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const mostModels = 12;

function Models({ entry, models }: ProviderProps) {
  if (models.length === 0)
    return (
      <Card title="Models">
        <p class="muted">
          No model is known yet. Test the connection, or name its models in the settings.
        </p>
      </Card>
    );
  return (
    <Card
      title={`Models (${models.length})`}
      actions={
        <a href={`/dashboard/models?provider=${encodeURIComponent(entry.id)}`}>All of them</a>
      }
    >
      <Table
        caption="Models of this provider"
        head={[
          "Model",
          { label: "Window", class: "num" },
          { label: "Input $/M", class: "num" },
          { label: "Output $/M", class: "num" },
        ]}
      >
        {models.slice(0, mostModels).map(({ id, info }) => (
          <tr>
            <td>
              <ModelName id={id} />
            </td>
            <td class="num">
              {info.contextWindow === undefined ? "–" : count(info.contextWindow)}
            </td>
            <td class="num">{dollars(info.prices?.input)}</td>
            <td class="num">{dollars(info.prices?.output)}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
