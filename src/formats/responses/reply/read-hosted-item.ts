/** Reads an item of a tool that the service hosts, or of any other type: it is emitted when it is finished. */
import type { OpenBlock } from "../../../core/events.ts";
import type { WebSearchRun } from "../../../core/web-search.ts";
import { asArray, asObject, asString, type JsonObject } from "../../../lib/json.ts";
import type { EventCollector } from "./event-collector.ts";
import type { ItemReader } from "./item-reader.ts";

/** A reader of one such item. */
export function hostedItemReader(events: EventCollector): ItemReader {
  let action = false;
  return {
    finish(whole) {
      action = isClientAction(whole);
      const key = events.open(blockOf(whole, action));
      events.add({ kind: "close", key });
    },
    close() {
      // An item that was announced and never finished is left out.
    },
    isAction: () => action,
  };
}

function blockOf(item: JsonObject, action: boolean): OpenBlock {
  const type = asString(item["type"]) ?? "unknown";
  const result = asString(item["result"]);
  if (type === "image_generation_call" && result !== undefined && result !== "") {
    const mime = `image/${asString(item["output_format"]) ?? "png"}`;
    return { kind: "media", media: "image", mime, data: result };
  }
  const search = type === "web_search_call" ? searchOf(item) : undefined;
  return { kind: "opaque", type, raw: item, action, ...(search && { search }) };
}

/** Pages that were merely opened are part of the search before. */
function searchOf(item: JsonObject): WebSearchRun | undefined {
  const action = asObject(item["action"]);
  if (action?.["type"] !== "search") return undefined;
  const query = asString(action["query"]);
  const sources = asArray(action["sources"]).flatMap((source) => {
    const url = asString(asObject(source)?.["url"]);
    return url === undefined ? [] : [{ url }];
  });
  const failed = item["status"] === "failed";
  return { ...(query !== undefined && { query }), sources, ...(failed && { fault: "failed" }) };
}

/** Whether the client would have to do something that only a Responses client knows. */
function isClientAction(item: JsonObject): boolean {
  switch (item["type"]) {
    case "computer_call":
    case "local_shell_call":
    case "apply_patch_call":
    case "mcp_approval_request":
      return true;
    case "shell_call":
      return (asObject(item["environment"])?.["type"] ?? "local") === "local";
    case "tool_search_call":
      return item["execution"] === "client";
    default:
      return false;
  }
}
