/** Token counts (`POST /v1/messages/count_tokens`, `:countTokens`): the provider's own count, or an estimate. */
import { countTokens } from "../../tokens/estimate.ts";
import { providersCount } from "../../upstream/count.ts";
import { admitCounted } from "../admit.ts";
import { askOf } from "../attempt.ts";
import { Exchange } from "../exchange.ts";
import { identify } from "../identify.ts";
import { jsonAnswer } from "./listed.ts";
import { parse } from "../parse.ts";
import { plan } from "../plan.ts";
import { letGo, type Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { ClientCounting } from "../../core/format.ts";
import type { Services } from "../services.ts";

/** The handler of a format's counting endpoint. */
export function countingWith(
  counting: ClientCounting,
): (received: Received, services: Services) => Promise<Response> {
  return async (received, services) => {
    const exchange = new Exchange(received, services);
    try {
      const identified = exchange.reached(await identify(received, services));
      const parsed = await parse(identified, counting.requestOf);
      counting.checkRequest(parsed.request.body);
      const counted = await admitCounted(parsed, exchange, services);
      const planned = await plan(counted, services);
      const ask = askOf(planned, { candidates: planned.plan.candidates, cooling: {} }, services);
      const tokens = await providersCount({ ...ask, parametersFor: () => ({}) }, services.reach);
      const answer = counting.writeCount(tokens ?? countTokens(parsed.request.inHub()));
      return jsonAnswer(answer, exchange);
    } catch (error) {
      return await refuse(error, exchange);
    } finally {
      letGo(received);
    }
  };
}
