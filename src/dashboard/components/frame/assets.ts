/** The names of the browser's script, style sheet and icon. The files themselves lie outside the Worker. */
import type { Env } from "../../../store/env.ts";

/** Written by the build. Unbuilt source has no files, and names without a fingerprint. */
declare const DASHBOARD_FILES: Readonly<Record<"script" | "style" | "icon", string>> | undefined;

/** The name of each static file; it holds a fingerprint of the content, so that browsers may cache it for ever. */
export const assets =
  typeof DASHBOARD_FILES === "object"
    ? DASHBOARD_FILES
    : { script: "app.js", style: "app.css", icon: "icon.svg" };

const types = { script: "text/javascript", style: "text/css", icon: "image/svg+xml" } as const;
const uses = ["script", "style", "icon"] as const;

/** Answers with the static file of that name; undefined where there is none. */
export async function answerAsset(
  { ASSETS }: Pick<Env, "ASSETS">,
  file: string,
  accepted: string,
): Promise<Response | undefined> {
  const use = uses.find((candidate) => assets[candidate] === file);
  if (use === undefined) return undefined;
  const { body, encoding } = await storedFile({ ASSETS }, file, accepted);
  return new Response(body, {
    headers: {
      "Content-Type": `${types[use]}; charset=utf-8`,
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
      ...encoding,
    },
  });
}

/** What a stored file is sent as. */
interface StoredFile {
  readonly body: ReadableStream | null;
  /** The header that names its coding, where it has one. */
  readonly encoding: Readonly<Record<string, string>>;
}

/** A static file as it is stored, in a coding that the browser accepts. Throws where there is none of that name. */
export async function storedFile(
  { ASSETS }: Pick<Env, "ASSETS">,
  file: string,
  accepted: string,
): Promise<StoredFile> {
  const stored = await ASSETS.fetch(`https://assets/${file}`, {
    headers: { "Accept-Encoding": accepted },
  });
  if (stored.status !== 200) throw new Error(`no static file ${file}: ${stored.status}`);
  const coding = stored.headers.get("Content-Encoding");
  return { body: stored.body, encoding: coding === null ? {} : { "Content-Encoding": coding } };
}
