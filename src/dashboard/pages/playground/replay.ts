/** A logged request as the playground sends it again. Pure. */
import { isClientFormat, type ClientFormatName } from "../../../core/format-name.ts";
import type { ModelRequest } from "../../../core/request.ts";
import type { RequestView } from "../../../admin/routes/requests/request-view.ts";
import { clientFormats } from "../../../formats/index.ts";
import { asObject, type JsonObject, parseJson } from "../../../lib/json.ts";
import type { HolderNames } from "../../shared/page-context.ts";

/** What a request can be replayed with. */
export interface Replayable {
  readonly ok: true;
  readonly format: ClientFormatName;
  readonly body: JsonObject;
}

/** The request's body as it was logged, or a sentence that says why it cannot be sent again. */
export function replayOf(
  { format, text }: Pick<RequestView, "format" | "text">,
  words: HolderNames,
): Replayable | { readonly ok: false; readonly why: string } {
  if (!isClientFormat(format))
    return { ok: false, why: "The playground sends only chats, so it can't replay this request." };
  if (text === undefined)
    return {
      ok: false,
      why: `This request's text was not logged. Turn on text logging for the ${words.holder} to replay later ones.`,
    };
  const body = bodyIn(text.request);
  if (body === undefined)
    return {
      ok: false,
      why: "This request is long, so only its beginning was logged. It can't be replayed.",
    };
  return { ok: true, format, body };
}

/** The body that a text holds; undefined where it is no JSON object. */
export function bodyIn(text: string): JsonObject | undefined {
  return asObject(parseJson(text));
}

/** The body in the hub's terms, for that model; throws M300 where the format does not allow it. */
export function readBody(
  format: ClientFormatName,
  body: JsonObject,
  { model, stream }: { readonly model: string; readonly stream: boolean },
): ModelRequest {
  const client = clientFormats[format];
  const address = client.addressed === true ? { model, answer: answerOf(stream) } : undefined;
  client.checkRequest(body, address);
  return { ...client.readRequest(body, address), model, stream };
}

function answerOf(stream: boolean): "events" | "whole" {
  return stream ? "events" : "whole";
}
