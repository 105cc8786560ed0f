/** Limits are compiled out of one build only, the one for benchmarks; nothing at run time can do that. */
declare const __LIMITS__: boolean;

/** False in the benchmark build: windows, slots, addresses and cool-downs do not refuse anything. */
export const limitsOn: boolean = typeof __LIMITS__ === "undefined" || __LIMITS__;
