/** The body of a generation request: checked as the endpoint demands, in neutral form if somebody asks. */
import { takeInputs } from "../translation/call-inputs.ts";
import { stateTag } from "../translation/opaque-state.ts";
import type { ModelRequest } from "../core/request.ts";
import { exactly } from "../lib/exact.ts";
import type { JsonObject } from "../lib/json.ts";
import { parseBody, readText } from "./body.ts";
import type { Call } from "./call.ts";
import { checks } from "../formats/index.ts";

export interface ReadRequest {
  body: JsonObject;
  /** The same with every integer as the client wrote it, for whoever hands it on unread: `body` itself unless one is long. */
  exact: JsonObject;
  /** The neutral form, read once. */
  turn(): ModelRequest;
  /** The text holds opaque state with this gateway's tag. */
  tagged: boolean;
}

/** Throws M300 (400, 413, 415). */
export async function readRequest(call: Call): Promise<ReadRequest> {
  const request = await readAny(call);
  checks[call.client](request.body);
  return request;
}

/** The body of a token count: a generation request without its limit of output tokens. */
export async function readCount(call: Call): Promise<ReadRequest> {
  const request = await readAny(call);
  checks[call.client]({ ...request.body, max_tokens: 1 });
  return request;
}

async function readAny(call: Call): Promise<ReadRequest> {
  const text = await readText(call.request);
  const body = parseBody(text);
  const exact = exactly(body, text);
  if (exact !== body) takeInputs(body, exact);
  call.body = body;
  call.size = text.length;
  let turn: ModelRequest | undefined;
  return {
    body,
    exact,
    turn: () => (turn ??= call.dialect.readRequest(body)),
    tagged: text.includes(stateTag),
  };
}
