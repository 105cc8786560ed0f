/** Endpoints of providers that the gateway leaves out on purpose, and why. */

const unserved: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /^\/v1(?:\/v1)?\/batches(?:\/|$)/,
    "Batches are not supported: one provider stores them and bills them later, beyond a key's limits. Send the requests one by one, or the batch to its provider.",
  ],
  [
    /^\/v1(?:\/v1)?\/(?:files|uploads)(?:\/|$)/,
    "Files and uploads are not supported: one provider stores them, and no other model could read them. Send the content within the request, or the file to its provider.",
  ],
];

/** The refusal for such a path; undefined for every other one. */
export function reasonUnserved(path: string): string | undefined {
  return unserved.find(([pattern]) => pattern.test(path))?.[1];
}
