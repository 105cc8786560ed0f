/** `GET /v1/models` and `GET /v1/models/{id}`: what this key can route to. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { clientFormats } from "../../formats/index.ts";
import { modelList, singleEntry, type EntryOptions } from "../../providers/models/model-list.ts";
import { answerListed } from "./listed.ts";
import type { Received } from "../received.ts";
import type { Services } from "../services.ts";

export async function handleModels(received: Received, services: Services): Promise<Response> {
  const options = optionsOf(received.http);
  return await answerListed(received, services, (directory) => modelList(directory, options));
}

/** `id` is percent-decoded. An unknown id is a 404 in the client's format. */
export async function handleModel(
  received: Received,
  services: Services,
  id: string,
): Promise<Response> {
  const options = optionsOf(received.http);
  return await answerListed(received, services, (directory) => {
    const entry = singleEntry(id, directory, options);
    if (entry !== undefined) return entry;
    const shown = JSON.stringify(id.slice(0, 200));
    throw new Problem(
      problemCodes.modelNotAvailable,
      `Model not available: ${shown} is not listed.`,
    );
  });
}

function optionsOf(request: Request): EntryOptions {
  const query = new URL(request.url).searchParams;
  return {
    capabilities: query.get("capabilities") === "true",
    cost: query.get("cost") === "true",
    anthropic: Object.values(clientFormats).some(
      ({ modelListHeader: name }) => name !== undefined && request.headers.has(name),
    ),
  };
}
