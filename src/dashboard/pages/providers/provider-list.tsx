/** The page of all providers: those of the workspace, local servers, and the catalogue to add more from. */
import { knownKinds, recordOf } from "../../../providers/catalogue/kinds.ts";
import type { Directory } from "../../../providers/models/directory.ts";
import type { Config, ProviderEntry } from "../../../store/config.ts";
import type { StatusView } from "../../../admin/routes/system.ts";
import type { UsageRow } from "../../../admin/routes/usage/usage.ts";
import { Page } from "../../components/frame/layout.tsx";
import { Badge, Card, EmptyState, Table } from "../../components/display.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { count } from "../../shared/readable-values.ts";
import { ActionLink } from "../../components/guarded.tsx";
import { addPath } from "./add-provider.tsx";
import { localPath } from "./local-servers.tsx";

interface ProvidersProps {
  viewer: Viewer;
  config: Config;
  directory: Directory;
  status: StatusView;
  /** Usage of the last 24 hours, by provider. */
  usage: readonly UsageRow[];
}

/** All of it. */
export function ProvidersPage(props: ProvidersProps) {
  const { viewer, config } = props;
  const providers = config.providers ?? [];
  const onlyDemo = providers.every(({ kind }) => kind === "demo");
  return (
    <Page
      viewer={viewer}
      title="Providers"
      lead="Where requests go. You can add a provider more than once."
    >
      <Card title="Connected">
        {providers.length === 0 ? (
          <EmptyState title="No providers yet.">
            <p>Until you add one, every request is refused.</p>
          </EmptyState>
        ) : (
          <Table
            caption="Connected providers"
            head={[
              "Provider",
              { label: "Kind", class: "mid" },
              { label: "Models", class: "num" },
              "Health",
              { label: "Requests (24 h)", class: "num mid" },
            ]}
          >
            {providers.map((entry) => (
              <ProviderRow entry={entry} {...props} />
            ))}
          </Table>
        )}
        {onlyDemo && providers.length > 0 ? (
          <p class="hint">The demo repeats your prompt. Add a real provider to reach models.</p>
        ) : null}
      </Card>
      {viewer.mode === "self-hosted" && viewer.allows("GET", localPath) ? (
        <Card
          title="On this machine"
          lead="Looks for Ollama, LM Studio, vLLM and llama.cpp on their default ports."
        >
          <p>
            <ActionLink viewer={viewer} href={localPath}>
              Find local servers
            </ActionLink>
          </p>
        </Card>
      ) : null}
      {viewer.allows("GET", addPath) ? <Catalogue viewer={viewer} /> : null}
    </Page>
  );
}

function ProviderRow({
  entry,
  directory,
  status,
  usage,
}: ProvidersProps & { entry: ProviderEntry }) {
  const models = directory.models.filter(({ connection }) => connection.id === entry.id);
  const cooling = Object.keys(status.cooling).filter((id) => id.startsWith(`${entry.id}/`));
  const rows = usage.filter(({ group }) => group === entry.id);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const errors = rows.reduce((sum, row) => sum + row.errors, 0);
  return (
    <tr>
      <td>
        <a href={`/dashboard/providers/${encodeURIComponent(entry.id)}`}>{entry.id}</a>
        {entry.auth === "subscription" ? <span class="sub">subscription</span> : null}
      </td>
      <td class="mid">{recordOf(entry.kind)?.name ?? entry.kind}</td>
      <td class="num">{count(models.length)}</td>
      <td>
        {cooling.length > 0 ? (
          <Badge tone="warn">{`${cooling.length} cooling down`}</Badge>
        ) : requests === 0 ? (
          <Badge tone="plain">no requests</Badge>
        ) : errors * 5 > requests ? (
          <Badge tone="bad">{`${errors} failed`}</Badge>
        ) : (
          <Badge tone="good">healthy</Badge>
        )}
      </td>
      <td class="num mid">{count(requests)}</td>
    </tr>
  );
}

function Catalogue({ viewer }: { viewer: Viewer }) {
  const kinds = knownKinds.filter((kind) => kind !== "demo" || viewer.mode === "self-hosted");
  return (
    <Card
      title="Add a provider"
      actions={
        <input
          type="search"
          data-filter="catalogue"
          placeholder="Search"
          aria-label="Search the catalogue"
          hidden
        />
      }
    >
      <ul class="tiles small-tiles" id="catalogue">
        {kinds.map((kind) => {
          const record = recordOf(kind);
          return (
            <li>
              <a class="tile" href={`${addPath}?kind=${encodeURIComponent(kind)}`}>
                <span class="monogram" aria-hidden="true">
                  {(record?.name ?? kind).slice(0, 1)}
                </span>
                <span>{record?.name ?? kind}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
