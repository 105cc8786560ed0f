/** Positions in the minified modules, as workerd and the platform print them in stacks. */
import { SourceMap, type SourceMapPayload } from "node:module";

const position = /\b((?:chunks\/[\w-]+|worker)\.js):(\d+:\d+)/g;

/** The text with every position that the maps know told in the source's terms. `maps`: by module, each as JSON. */
export function tracedText(text: string, maps: ReadonlyMap<string, string>): string {
  const read = new Map<string, SourceMap>();
  return text.replace(position, (told, module: string, place: string) => {
    const mapText = maps.get(module);
    if (mapText === undefined) return told;
    // esbuild's own output.
    const map = read.get(module) ?? new SourceMap(JSON.parse(mapText) as SourceMapPayload);
    read.set(module, map);
    const [line = 1, column = 1] = place.split(":").map(Number);
    const entry = map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return told;
    const source = entry.originalSource.replace(/^(\.\.\/)+/, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
