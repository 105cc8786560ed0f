/** How images that the service's tool makes are named in lists of uses. */
import { asFilledString, type JsonObject } from "../../../lib/json.ts";
import { onePart } from "../../../translation/describe-fees.ts";

/** The type of the tool. */
export const imageTool = "image_generation";

/** The name of an image's fee, by what the tool or the finished item says: its quality, its size, and the model that makes it. */
export function imageUse({ quality, size, model }: JsonObject): string {
  const parts = [quality, size, model].map((part) => asFilledString(part));
  while (parts.length > 0 && parts.at(-1) === undefined) parts.pop();
  return [imageTool, ...parts.map((part = "auto") => onePart(part))].join(":");
}
