/**
 * How often one may ask, counted in the isolate's memory: whoever asks too often is refused before any shared object is
 * called.
 */
import { minute, type RateLimit } from "../../policy/limits.ts";
import { WindowMap } from "../../workspace/address/window-map.ts";
import { countRequest, isFull, retryAfter } from "../../workspace/rules/window.ts";

/**
 * Requests for a code in a second. Callers may share an address, behind a proxy even all of them: nobody has to wait
 * long for what others did, and codes that are not used give way (`device-grants.ts`).
 */
const codes = windows({ limit: 50, span: 1000 });
/** Questions with one code, or about one sign-in: programs ask every five seconds, several of one machine at once. */
const questions = windows({ limit: 60, span: minute });
/** Codes that one person typed and that are nobody's. */
const wrongCodes = windows({ limit: 20, span: minute });

/** Counts a request for a code; whole seconds to wait where there were too many. */
export function countCodeRequest(address: string, now: number): number {
  return counted(codes, address, now);
}

/** Counts a question about a code or sign-in that was made here. */
export function countQuestion(about: string, now: number): number {
  return counted(questions, about, now);
}

/** Whether that person may look for a code now: whole seconds to wait, 0 where they may. */
export function waitForCode(person: string, now: number): number {
  const window = wrongCodes.use(person, now);
  return isFull(window) ? retryAfter(window, now) : 0;
}

/** A code that the person typed was nobody's. */
export function countWrongCode(person: string, now: number): void {
  countRequest(wrongCodes.use(person, now), now);
}

function counted(map: WindowMap, name: string, now: number): number {
  const window = map.use(name, now);
  if (isFull(window)) return retryAfter(window, now);
  countRequest(window, now);
  return 0;
}

function windows(limit: RateLimit): WindowMap {
  return new WindowMap({ limit, most: 2000, whenFull: "oldest" });
}
