/** The headers `traceparent` and `tracestate` of W3C Trace Context, level 1. Pure. */
import type { HeaderReader } from "../../lib/header-reader.ts";

/** A trace that came with a request. */
export interface IncomingTrace {
  readonly traceId: string;
  readonly parentId: string;
  /** Its sender may have recorded it. */
  readonly sampled: boolean;
  readonly state?: string;
}

const form =
  /^([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})((?:-[\x20-\x7e]*)?)$/;
/** Most characters of a header of a later version, which may have more parts. */
const longestParent = 256;

/** The trace that the headers name; undefined where there is none, or none that can be. */
export function readTrace(headers: HeaderReader): IncomingTrace | undefined {
  const text = headers.get("traceparent");
  if (text === null || text.length > longestParent) return undefined;
  const [, version, traceId, parentId, flags, more] = form.exec(text.trim()) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === "ff" || (version === "00" && more !== "")) return undefined;
  const state = readState(headers.get("tracestate"));
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, parentId, sampled, ...(state !== undefined && { state }) };
}

/** Bounds that every receiver has to keep to. */
const longestState = 512;
const mostMembers = 32;
const member =
  /^(?:[a-z][a-z\d_*/-]{0,255}|[a-z\d][a-z\d_*/-]{0,240}@[a-z][a-z\d_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** The list as it came, without empty members; undefined where it is missing, too long or wrong. */
function readState(text: string | null): string | undefined {
  if (text === null || text.length > longestState) return undefined;
  const members = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const keys = new Set(members.map((part) => part.slice(0, part.indexOf("="))));
  const valid =
    members.length > 0 &&
    members.length <= mostMembers &&
    keys.size === members.length &&
    members.every((part) => member.test(part));
  return valid ? members.join(",") : undefined;
}

/** The headers that name a span as the parent. */
export function traceHeaders({
  traceId,
  parentId,
  sampled,
  state,
}: IncomingTrace): Record<string, string> {
  return {
    traceparent: `00-${traceId}-${parentId}-${sampled ? "01" : "00"}`,
    ...(state !== undefined && { tracestate: state }),
  };
}
