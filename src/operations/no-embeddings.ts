/** An answer that does not hold the embeddings that were asked for. */
export class NoEmbeddings extends Error {}
