/** Which requests are of Gemini clients: some of their paths are OpenAI's and Anthropic's too. */
import type { HeaderReader } from "../../../lib/header-reader.ts";
import { withoutEnd } from "../../../lib/trim-end.ts";
import { readAddress } from "./address.ts";

/** Versions that a base address may hold and a client adds once more. */
const versions = /^\/(?:upload\/)?(?:v1(?:alpha|beta1?)?\/){1,2}/;
const ownVersion = /^\/(?:upload(?:\/|$)|(?:v1\/)?v1(?:alpha|beta1?)(?:\/|$))/;

/** The path behind its version, with a slash in front and none at its end. */
export function versionless(pathname: string): string {
  return withoutEnd(pathname.replace(versions, "/"), "/");
}

/**
 * By the path where only Gemini's begins or ends so; on that of a list by the headers and the query that its clients
 * alone send.
 */
export function isGemini({ url, headers }: { url: string; headers: HeaderReader }): boolean {
  if (isGeminiClient(headers)) return true;
  const { pathname, searchParams } = new URL(url);
  if (isGeminiPath(pathname)) return true;
  return isList(pathname) && ["key", "pageSize"].some((name) => searchParams.has(name));
}

/** Whether only Gemini's paths begin or end so. */
export function isGeminiPath(pathname: string): boolean {
  return ownVersion.test(pathname) || readAddress(versionless(pathname)) !== undefined;
}

/**
 * Whether a Gemini client sent them: nothing else tells on a path that names no model and is no list. On paths of other
 * formats they mean nothing: programs and proxies send them along everywhere.
 */
function isGeminiClient(headers: HeaderReader): boolean {
  return headers.get("x-goog-api-key") !== null || headers.get("x-goog-api-client") !== null;
}

function isList(pathname: string): boolean {
  return /^(?:\/v1){0,2}\/models(?:\/|$)/.test(pathname);
}
