/** Reads fields of a chat request that have several names or forms, and remembers where the client wrote them. */
import type { RequestField } from "../../../core/request.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import type { Position } from "../../../translation/unsupported.ts";

export interface FieldReader {
  /** Paths of the fields that were read. */
  readonly paths: Partial<Record<RequestField, string>>;
  /** Members of the body that were understood. */
  readonly used: Set<string>;
  /** The first of `names` that `read` understands. A value of the wrong type stays unread, hence unsupported. */
  take<T>(
    field: RequestField,
    names: readonly string[],
    read: (value: JsonValue | undefined, position: Position) => T | undefined,
  ): T | undefined;
}

export function fieldReader(body: JsonObject, unsupported: Set<string>): FieldReader {
  const paths: FieldReader["paths"] = {};
  const used = new Set<string>();
  return {
    paths,
    used,
    take(field, names, read) {
      for (const name of names) {
        const value = read(body[name], { path: name, unsupported });
        if (value === undefined) continue;
        used.add(name);
        paths[field] ??= name;
        return value;
      }
      return undefined;
    },
  };
}
