/** `GET /v1/models` and `GET /v1/models/{id}`: what this key can route to. */
import { Problem } from "../core/problem.ts";
import { modelList, singleEntry, type EntryOptions } from "../providers/models/model-list.ts";
import type { Directory } from "../providers/models/directory.ts";
import type { Call } from "./call.ts";
import { refusedLight } from "./handle.ts";
import type { Shell } from "./services.ts";
import { baseHeaders } from "./headers.ts";
import { admitLight } from "./light.ts";

export async function handleModels(call: Call, shell: Shell): Promise<Response> {
  return await listed(call, shell, (directory, options) => modelList(directory, options));
}

/** `id` is percent-decoded. Throws nothing: an unknown id is a 404 in the caller's dialect. */
export async function handleModel(call: Call, id: string, shell: Shell): Promise<Response> {
  return await listed(call, shell, (directory, options) => {
    const entry = singleEntry(id, directory, options);
    if (entry === undefined)
      throw new Problem(
        "M302",
        `Model not available: ${JSON.stringify(id.slice(0, 200))} is not listed.`,
      );
    return entry;
  });
}

async function listed(
  call: Call,
  shell: Shell,
  make: (directory: Directory, options: EntryOptions) => object,
): Promise<Response> {
  try {
    await admitLight(call, shell.services);
    const { holder } = call;
    if (!holder) throw new Error("the caller is identified before listing");
    const directory = await shell.services.directory(holder.snapshot, shell.waitUntil);
    const headers = baseHeaders(call);
    headers["Content-Type"] = "application/json";
    return new Response(JSON.stringify(make(directory, optionsOf(call.request))), { headers });
  } catch (error) {
    return await refusedLight(call, error);
  }
}

function optionsOf(request: Request): EntryOptions {
  const query = new URL(request.url).searchParams;
  return {
    capabilities: query.get("capabilities") === "true",
    cost: query.get("cost") === "true",
    anthropic: request.headers.has("anthropic-version"),
  };
}
