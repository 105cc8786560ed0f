/**
 * The static files of `npm start`, by the interface of a deployment's: `GET /name`. They lie in this module, so that a
 * build beside a running gateway takes nothing from it.
 */

/** By name: the text, and the same for `Content-Encoding: gzip`, base64. The build writes them in. */
declare const STATIC_FILES: Readonly<
  Record<string, { readonly text: string; readonly gzip: string }>
>;

const files = new Map(
  Object.entries(STATIC_FILES).map(([name, { text, gzip }]) => [
    `/${name}`,
    { text, gzip: Uint8Array.from(atob(gzip), (letter) => letter.charCodeAt(0)) },
  ]),
);

export default {
  fetch(request: Request): Response {
    const file = files.get(new URL(request.url).pathname);
    if (file === undefined) return new Response(null, { status: 404 });
    if (!acceptsGzip(request.headers.get("Accept-Encoding") ?? "")) return new Response(file.text);
    return new Response(file.gzip, {
      headers: { "Content-Encoding": "gzip" },
      encodeBody: "manual",
    });
  },
};

function acceptsGzip(accepted: string): boolean {
  return accepted
    .split(",")
    .some((coding) => /^\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]).*)?$/i.test(coding));
}
