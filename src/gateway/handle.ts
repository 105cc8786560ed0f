/** The story of one generation request, from its arrival to its end. */
import { attempt } from "./attempt.ts";
import { admit } from "./admit.ts";
import { choose } from "./choose.ts";
import { Exchange } from "./exchange.ts";
import { identify } from "./identify.ts";
import { checked, parse } from "./parse.ts";
import { plan } from "./plan.ts";
import type { Received } from "./received.ts";
import { refuse } from "./refuse.ts";
import { respond } from "./respond.ts";
import { checkResponseOwner } from "./response-owner.ts";
import type { Services } from "./services.ts";
import { silenceOf } from "./silence.ts";
import { keepThread } from "./threads.ts";

/** Serves the request. Whatever goes wrong is answered in the client's own format. */
export async function handle(received: Received, services: Services): Promise<Response> {
  const exchange = new Exchange(received, services);
  try {
    exchange.survivesDeparture();
    exchange.holds(services.inFlight.enter());
    const identified = exchange.reached(await identify(received, services));
    const parsed = checked(exchange.reached(await parse(identified)));
    const planned = exchange.reached(await plan(parsed, services));
    const admitted = exchange.reached(await admit(planned, exchange, services));
    await checkResponseOwner(admitted, services);
    const decided = keepThread(choose(admitted, services.now()));
    const silence = silenceOf(decided, services);
    const attempting = attempt(decided, { exchange, services, silence });
    return await respond(attempting, silence, { decided, exchange, services });
  } catch (error) {
    return await refuse(error, exchange);
  }
}
