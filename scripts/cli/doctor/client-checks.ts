/** Whether connected clients still lead to a gateway that takes their key. */
import { existsSync } from "node:fs";
import { causeOf } from "../../host/running/test-request.ts";
import { commandName } from "../command-name.ts";
import { configurableClients } from "../clients/index.ts";
import type { ConfigurableClient } from "../clients/client.ts";
import { isValidKey } from "../connect/client-key.ts";
import { filesOf, recordOf } from "../connect/known-client.ts";
import { requestOf } from "../connect/read-back.ts";
import type { ConnectRecord } from "../connect/record.ts";
import { userPlace } from "../connect/user-place.ts";
import { fine, type Finding } from "./finding.ts";

/** One finding for each client that `gateway connect` has connected; `url`: the gateway that runs here. */
export async function checkClients(url: string | undefined): Promise<Finding[]> {
  const place = userPlace();
  const connected = configurableClients.flatMap((client) => {
    const record = recordOf(client, place).read();
    return record === undefined ? [] : [{ client, record }];
  });
  return await Promise.all(connected.map(({ client, record }) => checkClient(client, record, url)));
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
  try {
    const { base, key } = requestOf(client, filesOf(client, userPlace()));
    if (base.replace(/\/v1$/, "") !== record.url)
      return problem(`its configuration names another address than ${record.url}`);
    if (!(await isValidKey(record.url, key))) return problem("its key is not valid");
  } catch (error) {
    return problem(causeOf(error));
  }
  if (url !== undefined && url !== record.url)
    return { ...problem(`it uses ${record.url}, not ${url}`), level: "warn" };
  return fine(`${client.name} uses ${record.url}, and its key is valid`);
}
