/** The build writes the package's version here. */
declare const __VERSION__: string | undefined;

/** The package's version; `source` where nothing was built. */
export const version: string = typeof __VERSION__ === "string" ? __VERSION__ : "source";
