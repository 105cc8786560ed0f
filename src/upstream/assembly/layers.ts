/** The way of a request to its provider: every layer, outermost first. To add one: its file, and one entry here. */
import type { Clock } from "../../lib/clock.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Reach } from "../../store/env.ts";
import { callProvider } from "../call.ts";
import { coolDown } from "../cool-down.ts";
import { demo } from "../demo-layer.ts";
import { fallback } from "../fallback.ts";
import { masking } from "../masking.ts";
import { askOperation } from "../ask-operation.ts";
import { recordAttempts } from "../record-attempts.ts";
import { retry } from "../retry.ts";
import { safeguards } from "../safeguards.ts";
import type { Layer, Upstream } from "../upstream.ts";
import { webSearch } from "../search/web-search.ts";
import { rememberTimes } from "../whole-times.ts";

export interface UpstreamSettings {
  readonly policy: Policy;
  readonly reach: Reach;
  readonly now: Clock;
}

/** The provider call under all its layers. */
export function upstreamOf({ policy, reach, now }: UpstreamSettings): Upstream {
  const layers: readonly Layer[] = [
    safeguards,
    coolDown(now),
    fallback(policy),
    webSearch(reach),
    retry,
    recordAttempts(now),
    rememberTimes(now),
    masking,
    askOperation(reach),
    demo,
  ];
  return layers.reduceRight<Upstream>((next, layer) => layer(next), callProvider(reach));
}
