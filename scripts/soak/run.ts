/**
 * `npm run test:soak -- [scale]`: the promises of admission, long and hard, from outside. Scale 1 takes about
 * three minutes; 10 offers ten thousand aborted streams and a hundred kills.
 */
import { startHost } from "./host.ts";
import * as phases from "./phases.ts";
import { startProvider } from "./provider.ts";

const scale = Number(process.argv[2] ?? 1);

const provider = await startProvider();
const host = await startHost();
const bench = { host, provider, providerUrl: provider.url };

const plan: [name: string, rounds: number, run: () => Promise<void>][] = [
  ["200 requests a minute in a workspace", 2 * scale, () => phases.workspaceWindow(bench)],
  ["500 requests a minute from an address", 2 * scale, () => phases.addressWindow(bench)],
  ["ten slots", 2 * scale, () => phases.slots(bench)],
  ["slots that last a minute", 1, () => phases.longStreams(bench, 60)],
  ["aborted streams", scale, () => phases.abortedStreams(bench, 1000)],
  ["a race for the last cent", 1, () => phases.costRace(bench, 5 * scale)],
  ["the ledger against the provider's books", scale, () => phases.ledger(bench)],
  ["revocation", scale, () => phases.revocation(bench)],
  ["kill -9", 1, () => phases.kills(bench, 10 * scale)],
];

let failed = false;
try {
  for (const [name, rounds, run] of plan) {
    const begun = Date.now();
    try {
      for (let round = 0; round < rounds; round += 1) await run();
      console.log(`ok    ${name} (${rounds}×, ${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed = true;
      console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
} finally {
  await host.stop();
  provider.close();
}
process.exit(failed ? 1 : 0);
