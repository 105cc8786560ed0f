/** What a JSON file may hold that not every program reads. */
import { visit } from "jsonc-parser";
import { placeOfOffset } from "./member.ts";

export type JsonExtra = "a byte order mark" | "a comment" | "a trailing comma";

/** The first one of these kinds, with its line and column. The text is one that connect can edit. */
export function findExtra(
  text: string,
  kinds: readonly JsonExtra[],
): { kind: JsonExtra; line: number; column: number } | undefined {
  const found: { kind: JsonExtra; offset: number }[] = [];
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  if (mark > 0) found.push({ kind: "a byte order mark", offset: 0 });
  visit(
    text.slice(mark),
    {
      onComment: (offset) => found.push({ kind: "a comment", offset }),
      onError: (_, offset) => found.push({ kind: "a trailing comma", offset }),
    },
    { allowTrailingComma: false },
  );
  const first = found.find(({ kind }) => kinds.includes(kind));
  return first && { kind: first.kind, ...placeOfOffset(text.slice(mark), first.offset) };
}
