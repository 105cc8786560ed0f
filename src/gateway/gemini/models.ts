/** `GET /v1beta/models` and `/v1beta/models/{id}`: what this key can route to, in Gemini's form. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { geminiEntries, geminiEntry } from "../../providers/models/gemini-list.ts";
import { answerListed } from "../endpoints/listed.ts";
import type { Received } from "../received.ts";
import type { Services } from "../services.ts";
import { listPage } from "./page.ts";

/** The list, in pages. */
export async function handleGeminiModels(
  received: Received,
  services: Services,
): Promise<Response> {
  const { searchParams } = new URL(received.http.url);
  return await answerListed(received, services, (directory) => {
    const { entries, next } = listPage(geminiEntries(directory), searchParams);
    return { models: entries, ...(next !== undefined && { nextPageToken: next }) };
  });
}

/** `id`: without `models/` in front, percent-decoded. An unknown one is a 404. */
export async function handleGeminiModel(
  received: Received,
  services: Services,
  id: string,
): Promise<Response> {
  return await answerListed(received, services, (directory) => {
    const entry = geminiEntry(id, directory);
    if (entry !== undefined) return entry;
    const shown = JSON.stringify(id.slice(0, 200));
    const message = `Model not available: ${shown} is not listed.`;
    throw new Problem(problemCodes.modelNotAvailable, message);
  });
}

/** Tuned models are not supported; clients that list them get an empty list. */
export async function handleTunedModels(received: Received, services: Services): Promise<Response> {
  return await answerListed(received, services, () => ({ tunedModels: [] }));
}
