/** The page of a new provider, and the page of one with its health, models and settings. */
import { ActionForm } from "../../components/guarded.tsx";
import { recordOf } from "../../../providers/catalogue/kinds.ts";
import type { ListedModel } from "../../../providers/connection/connection.ts";
import type { ProviderEntry } from "../../../store/config.ts";
import type { StatusView } from "../../../admin/routes/system.ts";
import type { Discovery } from "../../../admin/routes/providers.ts";
import type { ProviderTest } from "../../../providers/models/test-connection.ts";
import type { FieldError } from "../../shared/forms.ts";
import { Page } from "../../components/layout.tsx";
import { RelativeTime, Alert, Card, ModelName, Table } from "../../components/display.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { count, dollars, milliseconds } from "../../shared/readable-values.ts";
import { ProviderForm } from "./provider-form.tsx";

/** A self-hosted gateway can look for model servers on its own machine; the cloud can't. */
export function showsLocalServers(viewer: Viewer): boolean {
  return viewer.mode === "self-hosted";
}

interface NewProps {
  viewer: Viewer;
  kind: string;
  form: URLSearchParams;
  error?: FieldError;
  discovery?: Discovery;
}

/** The form of a provider that is not saved yet; `discovery` is what its endpoint answered to a test. */
export function NewProviderPage({ viewer, kind, form, error, discovery }: NewProps) {
  const name = recordOf(kind)?.name ?? kind;
  return (
    <Page viewer={viewer} title={`Add ${name}`} lead={<a href="/dashboard/providers">Providers</a>}>
      <Card>
        <DiscoveryAlert discovery={discovery} />
        <ProviderForm {...{ viewer, kind, form, error }} />
      </Card>
    </Page>
  );
}

interface ProviderProps {
  viewer: Viewer;
  /** With masked secrets. */
  entry: ProviderEntry;
  form: URLSearchParams;
  models: readonly ListedModel[];
  status: StatusView;
  error?: FieldError;
  discovery?: Discovery;
  test?: ProviderTest;
}

/** One saved provider. */
export function ProviderPage(props: ProviderProps) {
  const { viewer, entry, form, error, discovery, test } = props;
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
        <ActionForm viewer={viewer} action={`${path}/test`}>
          <button type="submit">Test connection</button>
        </ActionForm>
      }
    >
      <TestAlert test={test} />
      <Health {...props} />
      <Models {...props} />
      <Card title="Settings">
        <DiscoveryAlert discovery={discovery} />
        <ProviderForm
          {...{ viewer, kind: entry.kind, form, error }}
          stored={{ hasKey: entry.api_key !== undefined }}
        />
      </Card>
      {viewer.allows("GET", `${path}/delete`) ? (
        <Card title="Delete">
          <p class="hint">Requests for its models will be refused.</p>
          <p>
            <a class="button danger" href={`${path}/delete`}>
              Delete…
            </a>
          </p>
        </Card>
      ) : null}
    </Page>
  );
}

function TestAlert({ test }: { test: ProviderTest | undefined }) {
  if (test === undefined) return null;
  const facts = `HTTP ${test.status}, ${test.models} models, ${milliseconds(test.ms)}`;
  return (
    <Alert kind={test.ok ? "good" : "bad"}>
      <strong>{test.ok ? "Connection works." : "Connection failed."}</strong>{" "}
      <span class="anywhere">{test.message}</span> <span class="muted">{facts}</span>
      {test.ok ? null : <p>{adviceFor(test.status)}</p>}
    </Alert>
  );
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return "Check the API key and its permission to list models.";
  if (status === 404) return "Check the base URL. It usually ends in /v1.";
  if (status === 429) return "The provider limits the request rate. Try again in a minute.";
  return "Check the base URL and that the server is running.";
}

function DiscoveryAlert({ discovery }: { discovery: Discovery | undefined }) {
  if (discovery === undefined) return null;
  if (!discovery.ok)
    return (
      <Alert kind="bad">
        <strong>Connection failed.</strong> <span class="anywhere">{discovery.message}</span>
      </Alert>
    );
  return (
    <Alert kind="good">
      <strong>{`Connection works: ${discovery.models.length} models.`}</strong> Not saved yet.
      <ul class="chips">
        {discovery.models.slice(0, 40).map((id) => (
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
    <Card
      title="Cooling down"
      lead="These models failed recently. They are tried last until their cool-down ends."
    >
      <Table caption="Models that are cooling down" head={["Model", "Ends"]}>
        {cooling.map(([id, until]) => (
          <tr>
            <td>
              <ModelName id={id} />
            </td>
            <td>
              <RelativeTime iso={until} />
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const maxListedModels = 12;

function Models({ entry, models }: ProviderProps) {
  if (models.length === 0)
    return (
      <Card title="Models">
        <p class="muted">
          No models known yet. Test the connection, or list the models in the settings.
        </p>
      </Card>
    );
  return (
    <Card
      title={`Models (${models.length})`}
      actions={<a href={`/dashboard/models?provider=${encodeURIComponent(entry.id)}`}>Show all</a>}
    >
      <Table
        caption="Models of this provider"
        head={[
          "Model",
          { label: "Context", class: "num" },
          { label: "Input, $/M tokens", class: "num" },
          { label: "Output, $/M tokens", class: "num" },
        ]}
      >
        {models.slice(0, maxListedModels).map(({ id, info }) => (
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
