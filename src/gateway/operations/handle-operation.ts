/** The story of a request for an operation, from its arrival to its end. */
import type { GeminiAddress } from "../../formats/gemini/request/address.ts";
import { operations } from "../../operations/records.ts";
import { admit } from "../admit.ts";
import { attempt } from "../attempt.ts";
import { choose } from "../choose.ts";
import { Exchange } from "../exchange.ts";
import { identify } from "../identify.ts";
import { plan } from "../plan.ts";
import type { Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";
import { deliverOperation } from "./deliver-operation.ts";
import { checkedOperation, parseOperation, type AskedFor } from "./parse-operation.ts";

/** The handler of an operation's endpoint. Whatever goes wrong is an error with its status, never an answer. */
export function handlingOperation(
  asked: AskedFor,
): (received: Received, services: Services) => Promise<Response> {
  return async (received, services) => {
    const exchange = new Exchange(received, services);
    try {
      exchange.survivesDeparture();
      exchange.holds(services.inFlight.enter());
      const identified = exchange.reached(await identify(received, services));
      const parsed = checkedOperation(exchange.reached(await parseOperation(identified, asked)));
      const planned = exchange.reached(await plan(parsed, services));
      const admitted = exchange.reached(await admit(planned, exchange, services));
      const decided = choose(admitted, services.now());
      const started = await attempt(decided, { exchange, services });
      return await deliverOperation(started, { decided, exchange, services });
    } catch (error) {
      return await refuse(error, exchange);
    }
  };
}

/**
 * Gemini's `:embedContent` and `:batchEmbedContents`; `received.client` writes the errors. Of the address only the model
 * and the method count.
 */
export async function handleEmbedContent(
  received: Received,
  services: Services,
  { model, method }: GeminiAddress,
): Promise<Response> {
  const form = method === "batchEmbedContents" ? method : "embedContent";
  const asked = { operation: operations.embeddings, form } as const;
  const address = { model, answer: "whole" } as const;
  const operation = "embeddings" as const;
  return await handlingOperation(asked)({ ...received, address, operation }, services);
}
