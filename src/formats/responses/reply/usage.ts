/** Token counts in Responses answers. */
import {
  knownCounts,
  largerCounts,
  type ToolUses,
  type Usage,
  type UsageStep,
} from "../../../core/usage.ts";
import {
  asArray,
  asCount,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { readBillTerms, readMediaTokens } from "../../../translation/read-bill.ts";
import { imageTool, imageUse } from "../shared/image-use.ts";

/**
 * What a response tells of its bill: counts, the tier that served it, calls of image models, and the tools of the
 * service that it used. `items`: uses by the items of its output.
 */
export function readBill(response: JsonObject, items: ToolUses): Usage | undefined {
  const counts = readUsage(response["usage"]) ?? {};
  const serviceTier = asString(response["service_tier"]);
  const beside = readImageCalls(response);
  // The items and the counters tell of the same uses; images whose tokens are counted have no fee besides.
  const toolUses = largerCounts(
    beside === undefined ? items : withoutImages(items),
    counts.toolUses ?? {},
  );
  if (serviceTier !== undefined) counts.serviceTier = serviceTier;
  if (beside !== undefined) counts.beside = beside;
  if (Object.keys(toolUses).length > 0) counts.toolUses = toolUses;
  return Object.keys(counts).length > 0 ? counts : undefined;
}

/** The counts of a `usage` object; undefined when it holds none. */
export function readUsage(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (!usage) return undefined;
  const input = asCount(usage["input_tokens"]) ?? asCount(usage["prompt_tokens"]);
  const output = asCount(usage["output_tokens"]) ?? asCount(usage["completion_tokens"]);
  const inputDetails = asObject(usage["input_tokens_details"]);
  const outputDetails = asObject(usage["output_tokens_details"]);
  const cacheRead = asCount(inputDetails?.["cached_tokens"]);
  const cacheWrite = asCount(inputDetails?.["cache_write_tokens"]);
  const reasoning = asCount(outputDetails?.["reasoning_tokens"]);
  const media = readMediaTokens(inputDetails, outputDetails);
  const counts: Usage = knownCounts({ input, cacheRead, cacheWrite, output, reasoning });
  Object.assign(counts, readBillTerms(usage), media && { media });
  return Object.keys(counts).length > 0 ? counts : undefined;
}

/** Tokens of the model that the image tool runs, where they are told. */
function readImageCalls(response: JsonObject): UsageStep[] | undefined {
  const counted = readUsage(asObject(response["tool_usage"])?.["image_gen"]);
  if (counted?.output === undefined || counted.output === 0) return undefined;
  const tool = asArray(response["tools"]).find((each) => asObject(each)?.["type"] === imageTool);
  const model = asString(asObject(tool)?.["model"]) ?? usualImageModel;
  const { input, cacheRead, output, media } = counted;
  const counts: UsageStep = knownCounts({
    input,
    cacheRead,
    output,
    cacheWrite: undefined,
    reasoning: undefined,
  });
  return [{ ...counts, model, ...(media && { media }) }];
}

const usualImageModel = "gpt-image-1";

function withoutImages(uses: ToolUses): ToolUses {
  const others = Object.entries(uses).filter(([use]) => use.split(":")[0] !== imageTool);
  return Object.fromEntries(others);
}

/** Counts the uses of the service's tools by the items that an answer holds. */
export interface ItemUses {
  /** A finished item. */
  add(item: JsonObject): void;
  uses(): ToolUses;
}

/** A count of none. */
export function itemUses(): ItemUses {
  const uses: Record<string, number> = {};
  const containers = new Set<string>();
  const add = (use: string): void => void (uses[use] = (uses[use] ?? 0) + 1);
  const runIn = (id: JsonValue | undefined): void => {
    const container = asString(id) ?? "";
    if (!containers.has(container)) add("container");
    containers.add(container);
  };
  return {
    add(item) {
      switch (item["type"]) {
        case "web_search_call":
          if (!isReading(item)) add("webSearch");
          return;
        case "file_search_call":
          return add("fileSearch");
        case "x_search_call":
          return add("x_search");
        case "code_interpreter_call":
          add("code_interpreter");
          return runIn(item["container_id"]);
        case "shell_call": {
          const place = asObject(item["environment"]);
          if ((place?.["type"] ?? "local") !== "local") runIn(place?.["container_id"]);
          return;
        }
        case "image_generation_call":
          if (item["status"] !== "failed") add(imageUse(item));
          return;
        default:
        // Calls of the client's own tools, and texts.
      }
    },
    uses: () => uses,
  };
}

/** Only searches are charged, not the pages that are opened behind them. */
function isReading(item: JsonObject): boolean {
  const action = asObject(item["action"])?.["type"];
  return action === "open_page" || action === "find_in_page";
}

/** The `usage` object that Responses clients expect: every count is an integer, an unknown count is 0. */
export function writeUsage(usage: Usage): JsonObject {
  const input = usage.input ?? 0;
  const output = usage.output ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead ?? 0,
      cache_write_tokens: usage.cacheWrite ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: input + output,
  };
}
