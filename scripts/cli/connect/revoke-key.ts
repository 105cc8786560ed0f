/** Revoking the key that connect made, wherever its gateway listens now. */
import { causeOf } from "../../host/running/test-request.ts";
import { answersAt, reachGateway, runningAddress } from "../reach.ts";
import { stateFolder } from "../state-folder.ts";
import { isMadeThere, keyPath } from "./client-key.ts";
import { beginningOf } from "./mask.ts";
import type { ConnectRecord } from "./record.ts";

/** Tells what became of it: where the key cannot be revoked, the configuration is taken back all the same. */
export async function revokeKey(
  record: ConnectRecord,
  { state, words = "Its key" }: { state: string | undefined; words?: string },
): Promise<void> {
  const { made, url, key } = record;
  if (made === undefined) return;
  const name = `${words} ${beginningOf(key)}`;
  try {
    console.log(`${name} ${await revoked({ ...record, made }, state)}.`);
  } catch (error) {
    console.error(`${name} is still valid (${causeOf(error)}). Revoke it at ${url}/dashboard.`);
  }
}

type MadeRecord = ConnectRecord & Required<Pick<ConnectRecord, "made">>;

/** In words. Throws where the gateway cannot be asked. */
async function revoked({ made, url }: MadeRecord, state: string | undefined): Promise<string> {
  const running = runningAddress(stateFolder(state));
  const gateway = await reachGateway({ url: running ?? url, state });
  if (await isMadeThere(gateway.admin, made)) {
    await gateway.admin?.delete(keyPath(made));
    return "is revoked";
  }
  if (gateway.admin !== undefined && gateway.url === url) return "was revoked already";
  throw new Error(
    (await answersAt(url)) ? `the admin token of ${url} is unknown here` : `${url} does not answer`,
  );
}
