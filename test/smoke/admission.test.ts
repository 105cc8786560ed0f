/** The soak's promises, once each, against the product in workerd. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Host, startHost } from "../../scripts/soak/host.ts";
import * as phases from "../../scripts/soak/phases.ts";
import { type Provider, startProvider } from "../../scripts/soak/provider.ts";

let host: Host;
let provider: Provider;

beforeAll(async () => {
  [provider, host] = await Promise.all([startProvider(), startHost()]);
});

afterAll(async () => {
  await host.stop();
  provider.close();
});

const bench = () => ({ host, provider, providerUrl: provider.url });

describe("admission from outside", () => {
  it("lets exactly 200 of 260 requests through a workspace's window, and no other to the provider", () =>
    phases.workspaceWindow(bench()));

  it("lets exactly 500 of 650 requests of one address through, forged headers or not", () =>
    phases.addressWindow(bench()));

  it("has exactly ten slots, free within two seconds after their clients left", () =>
    phases.slots(bench()));

  it("loses no slot to streams that are left at any moment", () =>
    phases.abortedStreams(bench(), 100));

  it("never spends more than a limit in a race of parallel calls, and uses it up", () =>
    phases.costRace(bench(), 1));

  it("books to the token what the provider says", () => phases.ledger(bench()));

  it("refuses a revoked key on its next request", () => phases.revocation(bench()));

  it("survives kill -9 with everything it acknowledged, and ten free slots", () =>
    phases.kills(bench(), 2));
});

describe("variant B from outside", () => {
  it("throttles each agent by the settings, and has no slots", async () => {
    const settings = { VARIANT: "B", THROTTLE_LIMIT: "40", THROTTLE_TTL: "3000" };
    const other = await startHost({ settings });
    try {
      await phases.throttle({ ...bench(), host: other }, { limit: 40, span: 3000 });
    } finally {
      await other.stop();
    }
  });
});
