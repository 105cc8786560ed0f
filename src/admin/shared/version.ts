/** The build writes the package's version here. */
declare const __VERSION__: string | undefined;

export const version: string = typeof __VERSION__ === "string" ? __VERSION__ : "source";
