/** `npm run bench -- --profile`: where the time of a request goes, stage by stage. */
import path from "node:path";
import { connect } from "../calls/connection.ts";
import { type Asked, paced, requestsOf, type Target } from "../calls/target.ts";
import { modulesFolder } from "../../host/workerd/capnp.ts";
import { accounted, sourceFiles, type StageTime } from "./account.ts";
import { profiled } from "./inspector.ts";

interface Kind {
  readonly name: string;
  readonly asked: Asked;
  readonly requests: number;
}

const kinds: readonly Kind[] = [
  { name: "1 KB", asked: { size: 600 }, requests: 2000 },
  { name: "100 KB", asked: { size: 100_000 }, requests: 500 },
  { name: "stream of 60 events", asked: { size: 600, stream: paced }, requests: 20 },
];

/** A kind of request with what its stages take. */
export interface Account {
  readonly kind: string;
  readonly stages: readonly StageTime[];
}

/** Profiles requests that are sent one after the other. */
export async function profileStages({
  target,
  inspector,
  state,
}: ProfiledGateway): Promise<Account[]> {
  const files = sourceFiles(path.join(state, modulesFolder));
  const next = requestsOf(target);
  const accounts: Account[] = [];
  for (const { name, asked, requests } of kinds) {
    const send = (): Promise<void> => inTurn(target, () => next(asked), requests);
    await send();
    const profile = await profiled(inspector, send);
    accounts.push({ kind: name, stages: accounted(profile, files, requests) });
  }
  return accounts;
}

export interface ProfiledGateway {
  readonly target: Target;
  readonly inspector: number;
  /** The folder of its state. */
  readonly state: string;
}

async function inTurn({ port }: Target, next: () => Buffer, count: number): Promise<void> {
  const connection = connect(port);
  for (let sent = 0; sent < count; sent++) await connection.send(next());
  connection.close();
}
