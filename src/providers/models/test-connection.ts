/** Whether a configured provider can be reached and takes its credential; and what runs on this machine. */
import { Problem } from "../../core/problem.ts";
import type { Reach } from "../../store/env.ts";
import { knownKinds, recordOf } from "../catalogue/kinds.ts";
import { connectionOf, recordFor, type Connection } from "../connection/connection.ts";
import { lacksCredential, type Credentials } from "../connection/credentials.ts";
import { fetchList } from "./fetch-list.ts";

/** The answer of `POST /api/providers/{id}/test`. */
export interface ProviderTest {
  ok: boolean;
  /** HTTP status of the provider, or the one that the failure counts as. */
  status: number;
  /** How many models its list names. */
  models: number;
  ms: number;
  message: string;
}

/** Asks the provider for its model list. */
export async function testProvider(
  connection: Connection,
  credentials: Credentials,
  reach: Reach,
): Promise<ProviderTest> {
  const began = Date.now();
  const outcome = await ask(connection, credentials, reach);
  return { ...outcome, ms: Date.now() - began };
}

async function ask(
  connection: Connection,
  credentials: Credentials,
  reach: Reach,
): Promise<Omit<ProviderTest, "ms">> {
  if (lacksCredential(connection, credentials.secret)) {
    return { ok: false, status: 401, models: 0, message: "No usable credential is saved." };
  }
  try {
    const answer = await fetchList(connection, credentials, reach);
    if (answer.ok)
      return {
        ok: true,
        status: answer.status,
        models: answer.models.length,
        message: answeredMessage(answer),
      };
    const { status, message, cause } = answer.failure;
    const listless =
      recordFor(connection).list === false || recordFor(connection).endpoints.length === 0;
    // Where no list is to be expected, its absence proves that somebody is there.
    if (listless && cause === "status" && (status === 404 || status === 405)) {
      return {
        ok: true,
        status,
        models: 0,
        message: "The provider answered; it has no list of models.",
      };
    }
    return { ok: false, status, models: 0, message };
  } catch (error) {
    if (error instanceof Problem)
      return { ok: false, status: error.status, models: 0, message: error.message };
    throw error;
  }
}

function answeredMessage({ models, left }: { models: readonly unknown[]; left: number }): string {
  if (left === 0) return "The provider answered.";
  const all = models.length + left;
  return `The provider answered. Its list names ${all} models; the first ${models.length} are kept.`;
}

interface LocalServer {
  kind: string;
  name: string;
  baseUrl: string;
  models: number;
}

/** Model servers that answer on their usual ports of this machine. */
export async function findLocal(): Promise<LocalServer[]> {
  const candidates = knownKinds.filter((kind) => recordOf(kind)?.port !== undefined);
  const found = await Promise.all(candidates.map(probe));
  return found.filter((server) => server !== undefined);
}

async function probe(kind: string): Promise<LocalServer | undefined> {
  const connection = connectionOf({ id: "probe", kind });
  const answer = await fetchList(connection, { secret: undefined }, "everywhere");
  if (!answer.ok) return undefined;
  return {
    kind,
    name: recordFor(connection).name,
    baseUrl: connection.baseUrl,
    models: answer.models.length,
  };
}
