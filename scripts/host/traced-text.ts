/** Positions in the minified worker, as workerd and the platform print them in stacks. */
import { SourceMap, type SourceMapPayload } from "node:module";

const position = /worker\.js:(\d+):(\d+)/g;

/** The text with every position that the map knows told in the source's terms. `mapText`: the map as JSON. */
export function tracedText(text: string, mapText: string): string {
  // esbuild's own output.
  const map = new SourceMap(JSON.parse(mapText) as SourceMapPayload);
  return text.replace(position, (told, line: string, column: string) => {
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!("originalSource" in entry)) return told;
    const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
