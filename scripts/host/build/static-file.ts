/** A static file under a name made from its text. */
import { createHash } from "node:crypto";

/** A static file as it is served. */
export interface StaticFile {
  /** Browsers may cache what they got under this name for ever. */
  readonly file: string;
  readonly text: string;
}

/** Names a text by its fingerprint: `app-0123456789ab.css`. */
export function staticFile(
  text: string,
  { name, kind }: { name: string; kind: string },
): StaticFile {
  return { file: `${name}-${fingerprint(text)}.${kind}`, text };
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
