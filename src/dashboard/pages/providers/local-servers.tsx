/** Model servers that were found on this machine, each with a button that tests it and adds it as a provider. */
import type { LocalServer } from "../../../admin/routes/document/providers.ts";
import type { ProviderEntry } from "../../../store/config.ts";

/** Where they are searched for and added. No provider's page can have this address. */
export const localPath = "/dashboard/local-servers";

interface LocalProps {
  servers: readonly LocalServer[];
  providers: readonly ProviderEntry[];
}

/** All that were found, and which of them are providers already. */
export function LocalServers({ servers, providers }: LocalProps) {
  if (servers.length === 0)
    return (
      <p>
        No server found on the default ports: Ollama (11434), LM Studio (1234), vLLM (8000),
        llama.cpp (8080). Start one and search again, or{" "}
        <a href="/dashboard/add-provider?kind=custom">add one by its base URL</a>.
      </p>
    );
  return (
    <ul class="tiles">
      {servers.map((server) => (
        <li class="tile">
          <FoundServer server={server} providers={providers} />
        </li>
      ))}
    </ul>
  );
}

function FoundServer({
  server,
  providers,
}: { server: LocalServer } & Pick<LocalProps, "providers">) {
  const { kind, name, base_url: address, models } = server;
  const first = providers.find((entry) => entry.kind === kind && entry.base_url === undefined);
  return (
    <>
      <h2>{name}</h2>
      <p class="sub">
        <code>{address}</code>
      </p>
      <p>{`${models} model${models === 1 ? "" : "s"}, $0`}</p>
      {first === undefined ? null : (
        <p class="sub">
          Added as <a href={`/dashboard/providers/${encodeURIComponent(first.id)}`}>{first.id}</a>
        </p>
      )}
      <form method="post" action={localPath}>
        <input type="hidden" name="kind" value={kind} />
        <button type="submit" class={first === undefined ? "primary small" : "small"}>
          {first === undefined ? `Add ${name}` : `Add ${name} again`}
        </button>
      </form>
    </>
  );
}
