/** The responses to requests that match no endpoint, and to those that met an internal error. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { Exchange } from "../exchange.ts";
import { formatOf } from "../request/format-of.ts";
import type { Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";
import { reasonUnserved } from "./unserved-paths.ts";
import { type RoutedRequest, preflight, receiveFor, type ServicesFor } from "./endpoint.ts";

/** 404 in the envelope of the format that the path belongs to. */
export async function answerUnknownPath(
  routed: RoutedRequest,
  servicesOf: ServicesFor,
): Promise<Response> {
  const services = servicesOf(routed.env);
  const received = receiveStray(routed, services);
  if (received.http.method === "OPTIONS") return preflight(received, services, ["GET", "POST"]);
  const { pathname } = new URL(received.http.url);
  const reason = reasonUnserved(pathname);
  const message = `Unknown path: ${pathname.slice(0, 200)}.${reason === undefined ? "" : ` ${reason}`}`;
  const problem = new Problem(problemCodes.unknownPath, message);
  return await refuse(problem, new Exchange(received, services));
}

/** An uncaught error, as an internal error of the gateway. */
export async function answerFault(
  error: unknown,
  routed: RoutedRequest,
  servicesOf: ServicesFor,
): Promise<Response> {
  const services = servicesOf(routed.env);
  return await refuse(error, new Exchange(receiveStray(routed, services), services));
}

/** A request that matches no endpoint: its errors have the form of the format whose path it begins with. */
function receiveStray(routed: RoutedRequest, services: Services): Received {
  return receiveFor({ client: formatOf(routed.http), generates: false }, routed, services);
}
