/** Everything that objects have stored, as text: to see that a refused call changed nothing. */
import { runInDurableObject } from "cloudflare:test";
import { directoryStub, workspaceStub } from "../../../src/workspace/remote.ts";
import { gatewayEnv } from "./gateway.ts";

/** When something was last used: calls that change nothing else change it. */
const passing = /^(used|seen|last_used_at)$/;
/** What requests of clients leave behind, written some time after them. */
const ofRequests = /^(requests|quarters|hours|days|rollups|conversations|answers|blocks|running)$/;

/** All rows of the directory and of these workspaces. */
export async function storedText(workspaces: readonly string[]): Promise<string> {
  const stubs = [
    directoryStub(gatewayEnv),
    ...workspaces.map((workspace) => workspaceStub(gatewayEnv, workspace)),
  ];
  const texts = await Promise.all(
    stubs.map((stub) => textOf(stub as unknown as DurableObjectStub)),
  );
  return texts.join("\n");
}

function textOf(stub: DurableObjectStub): Promise<string> {
  return runInDurableObject(stub, (_instance, { storage: { sql } }) =>
    tablesOf(sql)
      .map((table) => `${table}: ${rowsOf(sql, table)}`)
      .join("\n"),
  );
}

function tablesOf(sql: SqlStorage): string[] {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
  return sql
    .exec(query)
    .toArray()
    .map(({ name }) => String(name))
    .filter((name) => !/^(sqlite|_cf)_/.test(name) && !ofRequests.test(name));
}

function rowsOf(sql: SqlStorage, table: string): string {
  const live = table === "meta" ? " WHERE name IN ('document', 'generation', 'quota')" : "";
  const rows = sql.exec(`SELECT * FROM "${table}"${live}`).toArray();
  const lasting = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !passing.test(name))),
  );
  return JSON.stringify(lasting);
}
