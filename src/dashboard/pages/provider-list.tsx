/** The page of all providers. */
import { knownKinds, recordOf } from "../../providers/catalogue/kinds.ts";
import type { Directory } from "../../providers/models/directory.ts";
import type { Config, ProviderEntry } from "../../store/config.ts";
import type { StatusView } from "../../admin/routes/system.ts";
import type { LocalServer } from "../../admin/routes/providers.ts";
import type { UsageRow } from "../../admin/routes/usage.ts";
import { Page } from "../layout.tsx";
import { Badge, Card, Empty, Table } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";
import { count } from "../shared/readable-values.ts";
import { LocalServers } from "./local-servers.tsx";
import { localServersOffered } from "./provider.tsx";

interface ProvidersProps {
  viewer: Viewer;
  config: Config;
  directory: Directory;
  status: StatusView;
  /** Of the last day, by provider. */
  usage: readonly UsageRow[];
  /** Undefined while it is not known yet what runs on this machine. */
  local: readonly LocalServer[] | undefined;
}

export function ProvidersPage(props: ProvidersProps) {
  const { viewer, config } = props;
  const providers = config.providers ?? [];
  const onlyDemo = providers.every(({ kind }) => kind === "demo");
  return (
    <Page viewer={viewer} title="Providers" lead="Where requests go. Several of one kind are fine.">
      <Card title="Connected">
        {providers.length === 0 ? (
          <Empty title="No provider connected.">
            <p>Choose one below. Until then every request is refused.</p>
          </Empty>
        ) : (
          <Table
            caption="Connected providers"
            head={[
              "Provider",
              { label: "Kind", class: "mid" },
              { label: "Models", class: "num" },
              "Health",
              { label: "Requests, 24 h", class: "num mid" },
            ]}
          >
            {providers.map((entry) => (
              <ProviderRow entry={entry} {...props} />
            ))}
          </Table>
        )}
        {onlyDemo && providers.length > 0 ? (
          <p class="hint">
            The demo answers with your own words. Connect a real provider to route to models.
          </p>
        ) : null}
      </Card>
      {localServersOffered(viewer) ? (
        <Card title="On this machine">
          {props.local === undefined ? (
            <div data-load="/dashboard/providers/local">
              <a href="/dashboard/providers/local">Look for local model servers</a>
            </div>
          ) : (
            <LocalServers servers={props.local} providers={providers} />
          )}
        </Card>
      ) : null}
      <Catalogue viewer={viewer} />
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
          <Badge tone="plain">no traffic</Badge>
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
      title="Connect another"
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
              <a class="tile" href={`/dashboard/providers/new?kind=${encodeURIComponent(kind)}`}>
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
