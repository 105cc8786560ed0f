/** Parts of Google's API that are not served here: what their clients are told instead of an unknown path. */

/** By the first word of the path behind its version. */
const resources: Readonly<Record<string, string>> = {
  cachedContents: "context caches (cachedContents)",
  files: "the Files API; send files as inlineData",
  upload: "the Files API; send files as inlineData",
  interactions: "the Interactions API",
  batches: "batches",
  operations: "long-running operations",
  tunedModels: "tuned models",
  corpora: "corpora",
  fileSearchStores: "file search stores",
};

/** By the method behind the last colon. */
const methods: Readonly<Record<string, string>> = {
  batchGenerateContent: "batches",
  asyncBatchEmbedContent: "batches",
  predict: "image and video generation (predict)",
  predictLongRunning: "image and video generation (predictLongRunning)",
  bidiGenerateContent: "the Live API",
};

/** What a path behind its version asks for that is known and missing. */
export function missingAt(path: string): string | undefined {
  const method = path.slice(path.lastIndexOf(":") + 1);
  const resource = /^\/(\w+)/.exec(path)?.[1] ?? "";
  if (Object.hasOwn(methods, method)) return methods[method];
  return Object.hasOwn(resources, resource) ? resources[resource] : undefined;
}
