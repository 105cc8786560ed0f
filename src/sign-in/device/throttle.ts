/**
 * How often one address may ask, counted in the isolate's memory: whoever asks too often is refused before any shared
 * object is called.
 */
import { minute } from "../../policy/limits.ts";
import { WindowMap } from "../../workspace/address/window-map.ts";
import { countRequest, isFull, retryAfter } from "../../workspace/rules/window.ts";

/** Requests for a code in a minute: an office may share its address. */
const codes = windows(60);
/** Questions with a code or token that was made here. */
const questions = windows(600);
/** Codes that were typed and are nobody's. */
const wrongCodes = windows(20);

/** Counts a request for a code; whole seconds to wait where there were too many. */
export function countCodeRequest(address: string, now: number): number {
  return counted(codes, address, now);
}

/** Counts a question with a code or token. */
export function countTokenRequest(address: string, now: number): number {
  return counted(questions, address, now);
}

/** Whether that address may look for a code now: whole seconds to wait, 0 where it may. */
export function waitForCode(address: string, now: number): number {
  const window = wrongCodes.use(address, now);
  return isFull(window) ? retryAfter(window, now) : 0;
}

/** A typed code was nobody's. */
export function countWrongCode(address: string, now: number): void {
  countRequest(wrongCodes.use(address, now), now);
}

function counted(map: WindowMap, address: string, now: number): number {
  const window = map.use(address, now);
  if (isFull(window)) return retryAfter(window, now);
  countRequest(window, now);
  return 0;
}

function windows(limit: number): WindowMap {
  return new WindowMap({ limit: { limit, span: minute }, most: 2000, whenFull: "oldest" });
}
