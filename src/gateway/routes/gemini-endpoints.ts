/** Gemini's endpoints: the path names the model and the method, so they can't be a list of fixed paths. */
import type { RequestAddress } from "../../core/format.ts";
import { clientFormats } from "../../formats/index.ts";
import {
  generationAddress,
  readAddress,
  type GeminiAddress,
} from "../../formats/gemini/request/address.ts";
import { missingAt } from "../../formats/gemini/request/missing.ts";
import { versionless } from "../../formats/gemini/request/recognize.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import { countingWith } from "../endpoints/count.ts";
import { handleGeminiModel, handleGeminiModels, handleTunedModels } from "../gemini/models.ts";
import { Exchange } from "../exchange.ts";
import { handleEmbedContent } from "../operations/handle-operation.ts";
import { handle } from "../handle.ts";
import { refuse } from "../refuse.ts";
import {
  answer,
  type RoutedRequest,
  type PublicEndpoint,
  receiveFor,
  type ServicesFor,
} from "./endpoint.ts";
import { answerUnknownPath } from "./unknown-path.ts";

const client = clientFormats.gemini;

/** An endpoint with what the request's path says. */
interface Found {
  readonly endpoint: PublicEndpoint;
  readonly address?: RequestAddress;
  /** The model that is requested from a list. */
  readonly id?: string;
}

/** Answers a request of a Gemini client, whatever it asks for. */
export async function answerGemini(
  routed: RoutedRequest,
  servicesOf: ServicesFor,
): Promise<Response> {
  const { pathname, search } = new URL(routed.http.url);
  const found = endpointAt(versionless(pathname), search);
  if (found === undefined) return await answerUnknownPath(routed, servicesOf);
  const { endpoint, address, id = "" } = found;
  const services = servicesOf(routed.env);
  const { generates, operation } = endpoint;
  const taken = {
    client,
    generates,
    ...(operation !== undefined && { operation }),
    ...(address !== undefined && { address }),
  };
  return await answer(endpoint, { received: receiveFor(taken, routed, services), services }, id);
}

function endpointAt(path: string, query: string): Found | undefined {
  const address = readAddress(path);
  if (address !== undefined) return calledEndpoint(address, query);
  if (path === "/models") return listed(handleGeminiModels);
  if (path === "/tunedModels") return listed(handleTunedModels);
  const missing = missingAt(path);
  if (missing !== undefined) return missingEndpoint(missing);
  const id = path.startsWith("/models/") ? decoded(path.slice("/models/".length)) : undefined;
  return id === undefined ? undefined : { ...listed(handleGeminiModel), id };
}

function calledEndpoint(named: GeminiAddress, query: string): Found | undefined {
  const post = { path: client.path, method: "POST", client, generates: false } as const;
  const address = generationAddress(named, query);
  switch (named.method) {
    case "generateContent":
    case "streamGenerateContent":
      return { endpoint: { ...post, generates: true, handler: handle }, address };
    case "countTokens":
      return countTokens && { endpoint: { ...post, handler: countTokens }, address };
    case "embedContent":
    case "batchEmbedContents":
      return { endpoint: { ...post, ...embedding(named) }, address };
    default:
      return named.method satisfies never;
  }
}

function embedding(
  named: GeminiAddress,
): Pick<PublicEndpoint, "generates" | "operation" | "handler"> {
  return {
    generates: true,
    operation: "embeddings",
    handler: (received, services) => handleEmbedContent(received, services, named),
  };
}

const countTokens = client.counting && countingWith(client.counting);

function listed(handler: PublicEndpoint["handler"]): Found {
  return { endpoint: { path: client.path, method: "GET", client, generates: false, handler } };
}

/** Whatever the method. */
function missingEndpoint(what: string): Found {
  const message = `Not served by this gateway: ${what}.`;
  const handler: PublicEndpoint["handler"] = async (received, services) =>
    await refuse(new Problem(problemCodes.unknownPath, message), new Exchange(received, services));
  return { endpoint: { path: client.path, method: "any", client, generates: false, handler } };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
