/** `gateway doctor`: what is well, what is not, and what to do about it. Prints no secret. */
import { printable } from "../../host/printable.ts";
import type { Given } from "../command-line.ts";
import { reachGateway, runningAddress } from "../reach.ts";
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
  const runs = named !== undefined || running !== undefined;
  const gateway = runs ? await reachGateway(values) : undefined;
  const findings: Finding[] = [
    ...checkMachine(folder),
    ...checkStateFolder(folder),
    ...(gateway === undefined ? [await checkPort()] : await checkGateway(gateway)),
    ...(await checkClients(gateway?.url)),
  ];
  const base = gateway?.url ?? "http://127.0.0.1:2099";
  for (const finding of findings)
    for (const line of findingLines(finding, base)) console.log(printable(line));
  return findings.some(({ level }) => level === "fail") ? 1 : 0;
}
