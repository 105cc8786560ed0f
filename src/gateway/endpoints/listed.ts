/** Requests that ask for no answer of a model: they are counted in the windows and hold no slot. */
import type { Directory } from "../../providers/models/directory.ts";
import { directoryWithin, type ModelWall, wallOf } from "../../providers/models/wall.ts";
import type { Holder } from "../../workspace/client/client.ts";
import { admitCounted } from "../admit.ts";
import { Exchange } from "../exchange.ts";
import { identify } from "../identify.ts";
import { letGo, type Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";

/** Answers with what `make` gives for the models that the key reaches. */
export async function answerListed(
  received: Received,
  services: Services,
  make: (directory: Directory) => object,
): Promise<Response> {
  const exchange = new Exchange(received, services);
  try {
    const identified = exchange.reached(await identify(received, services));
    const { holder, waitUntil } = await admitCounted(identified, exchange, services);
    const directory = await services.directory(holder.snapshot, waitUntil);
    return jsonAnswer(make(directoryWithin(directory, wallOfHolder(holder))), exchange);
  } catch (error) {
    return await refuse(error, exchange);
  } finally {
    letGo(received);
  }
}

function wallOfHolder({ snapshot, harness, terms }: Holder): ModelWall | undefined {
  const entry = snapshot.config.harnesses?.find(({ id }) => id === harness);
  return wallOf(entry?.models, terms.models);
}

/** A whole answer of the gateway's own. */
export function jsonAnswer(value: object, exchange: Exchange): Response {
  const headers = exchange.headers();
  headers["Content-Type"] = "application/json";
  return new Response(JSON.stringify(value), { headers });
}
