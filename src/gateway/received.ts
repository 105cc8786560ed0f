/** A request as it arrives: what is known before anything of it is judged. */
import type { ClientFormat, RequestAddress } from "../core/format.ts";
import type { Policy } from "../policy/policy.ts";
import type { OperationName } from "../core/operation-name.ts";
import type { HeaderReader } from "../lib/header-reader.ts";
import { Departure } from "../lib/departure.ts";
import { newId } from "../lib/ids.ts";
import { requestTimer, type RequestTimer } from "../lib/request-timer.ts";
import { passTraces, type RequestTrace } from "../telemetry/trace/request-trace.ts";
import { readingPace } from "../workspace/storage/sql/slices.ts";
import type { BodyMemory } from "./isolate/memory-budget.ts";
import { RequestBody } from "./request/body.ts";
import type { Services, WaitUntil } from "./services.ts";

export interface Received {
  readonly id: string;
  /** Epoch ms of its arrival. */
  readonly time: number;
  readonly http: Request;
  /** Those of `http`, read once. */
  readonly headers: HeaderReader;
  readonly body: RequestBody;
  /** The format of the endpoint: answers and errors of every kind are written in it. */
  readonly client: ClientFormat;
  /** What its address says, in formats that name the model there. */
  readonly address?: RequestAddress;
  /** A model is asked for an answer: its requests have log rows, and in generation an error may be rendered as one. */
  readonly generates: boolean;
  /** The operation that is requested instead of a generation. */
  readonly operation?: OperationName;
  readonly policy: Policy;
  /** Where users reach the gateway, where the deployment says so. */
  readonly publicOrigin?: string;
  /** What its body takes of the isolate's memory, until its end. */
  readonly memory: BodyMemory;
  /** Wakes whatever waits within the request, until its end. */
  readonly timer: RequestTimer;
  /** Of its client: a reset and the end of a WebSocket happen at once, a plain close when a write fails. */
  readonly departure: Departure;
  /** The WebSocket that the message came over: errors are never rendered there, and its end is noticed immediately. */
  readonly socket?: { readonly closed: AbortSignal };
  /** Keeps work running after the response. */
  readonly waitUntil: WaitUntil;
  /** Where spans are made, or one came along. */
  readonly trace?: RequestTrace;
}

/** What the route knows about a request besides its bytes. */
export type Endpointed = Pick<
  Received,
  "http" | "headers" | "client" | "address" | "generates" | "operation" | "socket" | "waitUntil"
>;

export function receive(
  endpointed: Endpointed,
  { policy, publicOrigin, now, memory, traceGeneration }: Services,
): Received {
  // Only requests for answers have spans; what counts tokens passes a trace on.
  const trace = (endpointed.generates ? traceGeneration : passTraces)(endpointed.headers);
  const { generates, http, socket } = endpointed;
  const time = now();
  readingPace.serves(time);
  return {
    ...endpointed,
    body: new RequestBody(endpointed),
    id: newId("req_"),
    time,
    policy,
    memory: memory.hold(),
    timer: requestTimer(),
    // What asks no model holds no slot.
    departure: new Departure(generates ? (socket?.closed ?? http.signal) : undefined),
    ...(publicOrigin !== undefined && { publicOrigin }),
    ...(trace !== undefined && { trace }),
  };
}

/** The request is over: gives back what it holds in this isolate. It may be called again. */
export function letGo({ memory, timer }: Pick<Received, "memory" | "timer">): void {
  memory.release();
  timer.stop();
}
