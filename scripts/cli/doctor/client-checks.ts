/** Whether connected clients still lead to a gateway that takes their key. */
import { existsSync } from "node:fs";
import { causeOf } from "../../host/running/test-request.ts";
import { commandName } from "../command-name.ts";
import { configurableClients } from "../clients/index.ts";
import type { ClientRequest, ConfigurableClient } from "../clients/client.ts";
import { MalformedText } from "../files/member.ts";
import { isValidKey } from "../connect/client-key.ts";
import { filesOf, recordOf } from "../connect/known-client.ts";
import { requestOf, whyUnread } from "../connect/read-back.ts";
import type { ConnectRecord } from "../connect/record.ts";
import { userPlace } from "../connect/user-place.ts";
import { fine, type Finding } from "./finding.ts";

/** One finding for each client that `gateway connect` has connected; `url`: the gateway that runs here. */
export async function checkClients(url: string | undefined): Promise<Finding[]> {
  const found = await Promise.all(configurableClients.map((client) => checkRecorded(client, url)));
  return found.flat();
}

async function checkRecorded(
  client: ConfigurableClient,
  url: string | undefined,
): Promise<Finding[]> {
  try {
    const record = recordOf(client, userPlace()).read();
    return record === undefined ? [] : [await checkClient(client, record, url)];
  } catch (error) {
    // A record that cannot be read, or a file: it says what to do itself.
    const text = `${client.name}: ${causeOf(error)}`;
    return [{ level: "fail", text, page: client.guide }];
  }
}

async function checkClient(
  client: ConfigurableClient,
  record: ConnectRecord,
  url: string | undefined,
): Promise<Finding> {
  const missing = record.files.find(({ file }) => !existsSync(file));
  const problem = (text: string): Finding => ({
    level: "fail",
    text: `${client.name}: ${text}`,
    advice: `${commandName()} connect ${client.id} configures it again.`,
    page: client.guide,
  });
  if (missing !== undefined) return problem(`${missing.file} was deleted`);
  const said = readFiles(client);
  if (said instanceof Error)
    return said.cause instanceof MalformedText
      ? {
          ...problem(said.message),
          advice: "Correct the file; its own program can't read it either.",
        }
      : problem(said.message);
  const { base, key } = said;
  if (base.replace(/\/v1$/, "") !== record.url)
    return problem(`its configuration names another address than ${record.url}`);
  const valid = await isValidKey(record.url, key).catch(() => undefined);
  if (valid === undefined)
    return {
      ...problem(`no gateway answers at ${record.url}, which it uses`),
      advice: `Start the gateway there. If it has moved, ${commandName()} connect ${client.id} follows it.`,
    };
  if (!valid) return problem("its key is not valid");
  const unread = whyUnread(client, filesOf(client, userPlace()));
  if (unread !== undefined) return { level: "warn", text: unread, page: client.guide };
  if (url !== undefined && url !== record.url)
    return { ...problem(`it uses ${record.url}, not ${url}`), level: "warn" };
  return fine(`${client.name} uses ${record.url}, and its key is valid`);
}

function readFiles(client: ConfigurableClient): ClientRequest | Error {
  try {
    return requestOf(client, filesOf(client, userPlace()));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
