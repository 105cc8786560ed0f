/** What a file that was read says. */
import { memberAt, type MemberValue } from "../files/member.ts";

/** The text at that place. Throws where there is none: the client would not find it either. */
export function textAt(said: MemberValue | undefined, ...path: string[]): string {
  const value = memberAt(said, path);
  if (typeof value === "string") return value;
  throw new Error(`${path.join(".")} is missing from the written file`);
}
