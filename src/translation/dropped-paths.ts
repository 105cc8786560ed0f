/** The list of what was left out of a request, bounded: a client's own names are in it, of any number and length. */

/** Entries of a list, at most: more than the log and the header have room for, so that both see that there were more. */
export const mostDroppedPaths = 1000;
/** Bytes of UTF-8: of one path, its ellipsis included, and of all of them. */
const longestPath = 256;
const mostBytes = 65_536;

const encoder = new TextEncoder();
const ellipsis = "\u2026";
/** Room for a path that is cut, without its ellipsis. */
const cutLength = longestPath - encoder.encode(ellipsis).length;

/** A set of paths that takes no more once it is full. */
class DroppedPaths extends Set<string> {
  #bytes = 0;

  override add(path: string): this {
    if (this.size === mostDroppedPaths) return this;
    const { text, bytes } = bounded(path);
    if (this.#bytes + bytes > mostBytes || this.has(text)) return this;
    this.#bytes += bytes;
    return super.add(text);
  }
}

/** A bounded set of paths, with those of `first` in it. */
export function droppedPaths(first: readonly string[] = []): Set<string> {
  const paths = new DroppedPaths();
  for (const path of first) paths.add(path);
  return paths;
}

/** Only the beginning of a path is looked at, however long it is. */
function bounded(path: string): { readonly text: string; readonly bytes: number } {
  const head = path.slice(0, longestPath + 1);
  const { length } = encoder.encode(head);
  if (length <= longestPath) return { text: path, bytes: length };
  const { read } = encoder.encodeInto(head, new Uint8Array(cutLength));
  return { text: head.slice(0, read) + ellipsis, bytes: longestPath };
}
