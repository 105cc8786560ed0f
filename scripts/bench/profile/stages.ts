/** Which stage of a request the code of each source file serves. */

/** In the order in which a request passes them. */
export const stages = [
  "receive",
  "identify",
  "parse",
  "plan",
  "admit call",
  "upstream call",
  "answer",
  "end call",
  "row",
  "runtime",
] as const;

export type Stage = (typeof stages)[number];

/** Where the code of stages lies, the first that fits. Files that serve several stages are missing, so that their callers decide. */
export const places: readonly (readonly [RegExp, Exclude<Stage, "runtime">])[] = [
  [/^src\/workspace\/storage\//, "row"],
  [/^src\/workspace\/(?:settlements|running-spend|counted-names|ended)/, "end call"],
  [/^src\/workspace\/rules\/(?:settlement|rollup|cost|media-cost|sum|node-sums)/, "end call"],
  [/^src\/gateway\/(?:exchange|record|finished|kept-texts|unreported|subscribers)/, "end call"],
  [/^src\/(?:telemetry|sinks)/, "end call"],
  [/^src\/workspace\/(?:address|holders|snapshot-memory)/, "identify"],
  [/^src\/gateway\/(?:identify|current-holder)/, "identify"],
  [/^src\/workspace\/rules\/(?:admission|budget|lease|window|spend|answer-lengths)/, "admit call"],
  [
    /^src\/(?:workspace\/(?:workspace-object|slot-line)|gateway\/(?:admit|slot-wait|choose))/,
    "admit call",
  ],
  [/^src\/gateway\/(?:plan|candidates|estimates|beside|session)|^src\/routing\//, "plan"],
  [/^src\/(?:translation\/describe-cost|tokens\/|providers\/models\/)/, "plan"],
  [
    /^src\/gateway\/(?:parse|request\/)|^src\/formats\/[^/]+\/request\/(?:describe|recogni)/,
    "parse",
  ],
  [/^src\/upstream\/client-request/, "parse"],
  [/^src\/gateway\/(?:deliver|stream|outlet|headers|totals|watchdog)/, "answer"],
  [/^src\/formats\/[^/]+\/reply\//, "answer"],
  [/^src\/(?:upstream|providers|gateway\/attempt|formats|translation)/, "upstream call"],
  [
    /^src\/(?:worker|root-app|app)\.ts|^src\/gateway\/(?:routes|received|handle|isolate)/,
    "receive",
  ],
  [/^node_modules\/hono\//, "receive"],
];

/** Undefined for a file that serves several. */
export function stageOf(file: string): Stage | undefined {
  return places.find(([place]) => place.test(file))?.[1];
}
