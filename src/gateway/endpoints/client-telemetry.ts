/**
 * `POST /v1/metrics`, `/v1/logs`, `/v1/traces`: what clients measure of themselves (OTLP over HTTP). It is read and thrown
 * away, because an exporter that gets a 404 complains at every turn.
 */
import { Exchange } from "../exchange.ts";
import { identify } from "../identify.ts";
import { letGo, type Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";
import { letFinish } from "../request/unread-body.ts";

/** 200 without a body for every good key. */
export async function handleTelemetry(received: Received, services: Services): Promise<Response> {
  const exchange = new Exchange(received, services);
  try {
    exchange.reached(await identify(received, services));
    await letFinish(received.http);
    return new Response(null, { headers: exchange.headers() });
  } catch (error) {
    return await refuse(error, exchange);
  } finally {
    letGo(received);
  }
}
