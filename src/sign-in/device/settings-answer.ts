/** `GET /managed/settings`, asked with a person's key. */
import { Problem, problemCodes } from "../../core/problem.ts";
import { clientFormats } from "../../formats/index.ts";
import { Exchange } from "../../gateway/exchange.ts";
import { currentHolder } from "../../gateway/endpoints/current-holder.ts";
import { letGo, receive } from "../../gateway/received.ts";
import { refuse } from "../../gateway/refuse.ts";
import type { Services, WaitUntil } from "../../gateway/services.ts";
import { readHeaders } from "../../lib/header-reader.ts";
import { managedSettings } from "./managed-settings.ts";

/** The settings; 304 where the client has them, 401 without a good key, 403 with one that is nobody's in particular. */
export async function answerSettings(
  { http, waitUntil }: { http: Request; waitUntil: WaitUntil },
  services: Services,
): Promise<Response> {
  const client = clientFormats.messages;
  const headers = readHeaders(http.headers);
  const received = receive({ http, headers, client, generates: false, waitUntil }, services);
  const exchange = new Exchange(received, services);
  try {
    const { harness, terms, snapshot } = await currentHolder(received, services);
    if (terms.person === undefined) throw nobodys();
    const directory = await services.directory(snapshot, waitUntil);
    const answer = await managedSettings(snapshot.config, { harness, directory });
    const tag = `"${answer.checksum}"`;
    const init = {
      headers: { ...exchange.headers(), etag: tag, "cache-control": "private, no-cache" },
    };
    return headers.get("if-none-match") === tag
      ? new Response(null, { status: 304, ...init })
      : Response.json(answer, init);
  } catch (error) {
    return await refuse(error, exchange);
  } finally {
    letGo(received);
  }
}

function nobodys(): Problem {
  return new Problem(
    problemCodes.unknownKey,
    "Only people get settings: sign in, or use your own key.",
    { status: 403, type: "permission_error" },
  );
}
