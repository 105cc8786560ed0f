/** Model servers that answer on this machine, each one click from being connected. */
import type { ProviderEntry } from "../../store/config.ts";
import type { LocalServer } from "../../admin/routes/providers.ts";

interface LocalProps {
  servers: readonly LocalServer[];
  providers: readonly ProviderEntry[];
}

export function LocalServers({ servers, providers }: LocalProps) {
  const fresh = servers.filter(({ kind }) => !providers.some((entry) => entry.kind === kind));
  if (fresh.length === 0)
    return (
      <p class="muted">
        {servers.length === 0
          ? "Nothing answers on the usual ports of Ollama, LM Studio, llama.cpp and vLLM. Start one and reload this page."
          : "Everything that runs on this machine is connected already."}
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
              Connect
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}
