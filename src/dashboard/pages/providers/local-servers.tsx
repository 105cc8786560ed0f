/** Model servers that were found on this machine, each with a button that adds it as a provider. */
import type { ProviderEntry } from "../../../store/config.ts";
import type { LocalServer } from "../../../admin/routes/providers.ts";

interface LocalProps {
  servers: readonly LocalServer[];
  providers: readonly ProviderEntry[];
}

/** The servers that are no providers yet. */
export function LocalServers({ servers, providers }: LocalProps) {
  const fresh = servers.filter(({ kind }) => !providers.some((entry) => entry.kind === kind));
  if (fresh.length === 0)
    return (
      <p class="muted">
        {servers.length === 0
          ? "No server found on the default ports of Ollama, LM Studio, llama.cpp and vLLM. Start one and reload this page."
          : "All local servers are already added."}
      </p>
    );
  return (
    <ul class="tiles">
      {fresh.map(({ kind, name, base_url: address, models }) => (
        <li class="tile">
          <h3>{name}</h3>
          <p class="sub">
            <code>{address}</code>
          </p>
          <p>{`${models} model${models === 1 ? "" : "s"}`}</p>
          <form method="post" action="/dashboard/providers">
            <input type="hidden" name="kind" value={kind} />
            <input type="hidden" name="id" value={kind} />
            <button type="submit" class="primary small" name="do" value="save">
              Add
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}
