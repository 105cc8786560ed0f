/**
 * The KV namespace of `npm start`: the HTTP that workerd's KV binding speaks, over one SQLite object.
 * `GET /key`, `PUT /key?expiration|expiration_ttl`, `DELETE /key`, and `GET /?prefix&key_count_limit&cursor` to list.
 */
import { DurableObject } from "cloudflare:workers";
import { snapshotPrefix } from "../../../src/store/kv-names.ts";

interface Env {
  STORE: DurableObjectNamespace<KvStore>;
}

type Row = { name: string; value: ArrayBuffer; expires: number | null; metadata: string | null };

const metadataHeader = "CF-KV-Metadata";
const insert =
  "INSERT OR REPLACE INTO entries (name, value, expires, metadata) VALUES (?, ?, ?, ?)";
/** A row of the object's database holds no more. */
const valueCap = 2_000_000;
const listCap = 1000;

export class KvStore extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#createTable();
  }

  #createTable(): void {
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, value BLOB NOT NULL, expires INTEGER, metadata TEXT);
       CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires) WHERE expires IS NOT NULL;`,
    );
  }

  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const name = decodeURIComponent(url.pathname.slice(1));
    switch (request.method) {
      case "GET":
        return name === "" ? this.#list(url.searchParams) : this.#get(name);
      case "PUT":
        return this.#put(name, url.searchParams, request);
      case "DELETE":
        await this.#delete(name);
        return new Response(null);
      default:
        return new Response("method not allowed", { status: 405 });
    }
  }

  #get(name: string): Response {
    const [row] = this.#sql
      .exec<Row>(
        "SELECT * FROM entries WHERE name = ? AND (expires IS NULL OR expires > ?)",
        name,
        now(),
      )
      .toArray();
    if (row === undefined) return new Response("not found", { status: 404 });
    const headers = row.metadata === null ? {} : { [metadataHeader]: row.metadata };
    return new Response(row.value, { headers });
  }

  async #put(name: string, query: URLSearchParams, request: Request): Promise<Response> {
    const value = await request.arrayBuffer();
    if (value.byteLength > valueCap) return new Response("value too large", { status: 413 });
    this.#sql.exec("DELETE FROM entries WHERE expires <= ?", now());
    this.#sql.exec(insert, name, value, expiry(query), request.headers.get(metadataHeader));
    return new Response(null);
  }

  /** With its snapshot the last entry of a workspace goes: then nothing that was removed is to stay in the files. */
  async #delete(name: string): Promise<void> {
    this.#sql.exec("DELETE FROM entries WHERE name = ?", name);
    if (name.startsWith(snapshotPrefix)) await this.#rewrite();
  }

  /**
   * The database only marks space as free; a file of its own is made for what is kept. A machine that stops within these
   * milliseconds loses copies of what the workspaces' objects know.
   */
  async #rewrite(): Promise<void> {
    const rows = this.#sql.exec<Row>("SELECT * FROM entries").toArray();
    const emptied = this.ctx.storage.deleteAll();
    this.#createTable();
    for (const { name, value, expires, metadata } of rows)
      this.#sql.exec(insert, name, value, expires, metadata);
    await emptied;
  }

  #list(query: URLSearchParams): Response {
    const limit = Math.min(listCap, Number(query.get("key_count_limit") ?? listCap));
    const prefix = query.get("prefix") ?? "";
    const rows = this.#sql
      .exec<Pick<Row, "name" | "expires" | "metadata">>(
        `SELECT name, expires, metadata FROM entries
         WHERE substr(name, 1, length(?1)) = ?1 AND name > ?2 AND (expires IS NULL OR expires > ?3)
         ORDER BY name LIMIT ?4`,
        prefix,
        query.get("cursor") ?? "",
        now(),
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    const keys = page.map(({ name, expires, metadata }) => ({
      name,
      ...(expires !== null && { expiration: expires }),
      ...(metadata !== null && { metadata }),
    }));
    const last = page.at(-1);
    if (rows.length <= limit || last === undefined) {
      return Response.json({ keys, list_complete: true, cacheStatus: null });
    }
    return Response.json({ keys, list_complete: false, cursor: last.name, cacheStatus: null });
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function expiry(query: URLSearchParams): number | null {
  const ttl = query.get("expiration_ttl");
  if (ttl !== null) return now() + Number(ttl);
  const at = query.get("expiration");
  return at === null ? null : Number(at);
}

export default {
  fetch(request, env) {
    return env.STORE.getByName("entries").fetch(request);
  },
} satisfies ExportedHandler<Env>;
