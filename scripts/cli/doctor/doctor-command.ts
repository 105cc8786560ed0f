/** `gateway doctor`: what is well, what is not, and what to do about it. Prints no secret. */
import { printable } from "../../host/printable.ts";
import type { Given } from "../command-line.ts";
import { plainAddress, reachGateway, runningAddress } from "../reach.ts";
import { stateFolder } from "../state-folder.ts";
import { checkClients } from "./client-checks.ts";
import { findingLines, type Finding } from "./finding.ts";
import { checkGateway, checkPort } from "./gateway-checks.ts";
import { checkMachine } from "./machine-checks.ts";
import { checkStateFolder } from "./state-checks.ts";

/** Runs it; the exit code. */
export async function runDoctor({ values }: Given): Promise<number> {
  const folder = stateFolder(values["state"]);
  const named = values["url"];
  const running = runningAddress(folder);
  const url = named === undefined ? running : plainAddress(named);
  // Where it is not reached, its own check says so.
  const gateway =
    url === undefined
      ? undefined
      : await reachGateway(values).catch(() => ({ url, admin: undefined }));
  const findings: Finding[] = [
    ...checkMachine(folder),
    ...checkStateFolder(folder),
    ...(gateway === undefined ? [await checkPort()] : await checkGateway(gateway)),
    ...(await checkClients(gateway?.url)),
  ];
  for (const finding of findings)
    for (const line of findingLines(finding, gateway?.url)) console.log(printable(line));
  return findings.some(({ level }) => level === "fail") ? 1 : 0;
}
