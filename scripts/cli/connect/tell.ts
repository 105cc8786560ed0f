/** Clients whose settings lie in a window of their own: what to enter there. */
import type { ToldClient } from "../clients/index.ts";
import type { Given } from "../command-line.ts";
import { reachGateway } from "../reach.ts";

/** Prints what to enter; the exit code. No key is made, because nothing could take it back. */
export async function tellSettings(client: ToldClient, { values }: Given): Promise<number> {
  const { url } = await reachGateway(values);
  const key = values["key"] ?? `a key from ${url}/dashboard`;
  const lines = [
    `${client.name} is configured in its own settings. Enter there:`,
    `  base URL  ${url}/v1`,
    `  API key   ${key}`,
    `  model     ${values["model"] ?? "auto"}`,
    `Step by step: ${url}/docs/${client.guide}`,
  ];
  console.log(lines.join("\n"));
  return 0;
}
