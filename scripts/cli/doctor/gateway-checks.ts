/** Whether the gateway runs, and whether its providers answer. */
import { createServer } from "node:net";
import { causeOf } from "../../host/test-request.ts";
import type { Admin } from "../../host/admin.ts";
import type { ReachedGateway } from "../reach.ts";
import { fine, type Finding } from "./finding.ts";

const usualPort = 2099;

/** Where none runs on the state folder: whether one could, on the usual port. */
export async function checkPort(): Promise<Finding> {
  if (await isFree(usualPort)) return fine(`no gateway is running; port ${usualPort} is free`);
  const gateway = await healthOf(`http://127.0.0.1:${usualPort}`);
  return {
    level: "warn",
    text:
      gateway === undefined
        ? `port ${usualPort} is used by another program`
        : `a gateway with another state folder is running on port ${usualPort}`,
    advice: `ss -ltnp 'sport = :${usualPort}' (Linux) or lsof -i :${usualPort} shows which; or start with --port.`,
  };
}

/** One that is reached: its health, and each of its providers. */
export async function checkGateway({ url, admin }: ReachedGateway): Promise<Finding[]> {
  const version = await healthOf(url);
  if (version === undefined)
    return [
      {
        level: "fail",
        text: `no gateway answers at ${url}`,
        advice: "Start it, or check the address.",
      },
    ];
  const served = fine(`gateway ${version} is running on ${url}`);
  if (admin !== undefined) return [served, ...(await checkProviders(admin))];
  return [
    served,
    {
      level: "warn",
      text: "its admin token is unknown here, so its providers were not tested",
      advice: "Run this on its machine, with --state if needed.",
    },
  ];
}

async function checkProviders(admin: Admin): Promise<Finding[]> {
  // The admin API's own answers: their shapes are the document's and the contract's.
  const { providers = [] } = (await admin.get("/api/config")) as {
    providers?: { id: string; kind: string }[];
  };
  if (providers.every(({ kind }) => kind === "demo"))
    return [
      {
        level: "warn",
        text: "no provider is connected: the built-in demo answers",
        advice: "Add one on the page Providers, or start with --import-env.",
        page: "providers",
      },
    ];
  return await Promise.all(providers.map(({ id }) => checkProvider(admin, id)));
}

async function checkProvider(admin: Admin, id: string): Promise<Finding> {
  try {
    const answer = await admin.post(`/api/providers/${encodeURIComponent(id)}/test`, {});
    const { ok, message } = answer as { ok: boolean; message?: string };
    if (ok) return fine(`provider ${id} answers`);
    return failed(id, message ?? "its test failed");
  } catch (error) {
    return failed(id, causeOf(error));
  }
}

function failed(id: string, why: string): Finding {
  return {
    level: "fail",
    text: `provider ${id}: ${why}`,
    advice: "Correct it on the page Providers.",
    page: "providers",
  };
}

/** Its version; undefined where nothing of the kind answers. */
async function healthOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5000) });
    const { version } = (await answer.json()) as { version?: string };
    return answer.ok ? version : undefined;
  } catch {
    return undefined;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
