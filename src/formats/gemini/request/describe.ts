/** What the gateway reads off a generateContent request without translating it. */
import type { RequestAddress, RequestDescription } from "../../../core/format.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import { describeCost } from "../../../translation/describe-cost.ts";
import { modelOf } from "./check.ts";

export function describe(body: JsonObject, address?: RequestAddress): RequestDescription {
  return {
    ...describeCost(body, []),
    model: asString(modelOf(body, address)) ?? "",
    stream: isStreamed(body, address),
    wantsUsage: true,
    stored: false,
  };
}

/** The address tells how to answer; callers without one write it into the body. */
export function isStreamed(body: JsonObject, address?: RequestAddress): boolean {
  return address === undefined ? body["stream"] === true : address.answer !== "whole";
}
