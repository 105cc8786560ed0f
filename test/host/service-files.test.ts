/** What the project ships for containers and services is well-formed, and says what the launcher needs. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { drainPatience } from "../../scripts/host/running/ending.ts";

const dockerfile = readFileSync("Dockerfile", "utf8");
const unit = readFileSync("scripts/service/routing-gateway.service", "utf8");
const agent = readFileSync("scripts/service/routing-gateway.plist", "utf8");

interface Compose {
  services: { gateway: { stop_grace_period: string; ports: string[]; read_only: boolean } };
  volumes: Record<string, unknown>;
}

it("the Dockerfile has no mistakes that a linter finds", () => {
  expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
});

it("the image runs as a user who is not root, and can be asked for its health", () => {
  const [, last = ""] = dockerfile.split(/^FROM .*(?![^]*^FROM )/m).slice(-2);
  expect(last).toMatch(/^USER 1000:1000$/m);
  expect(last).toMatch(/^VOLUME \/data$/m);
  expect(last).toMatch(/^HEALTHCHECK [^]*\/readyz/m);
});

it("everything has more time to stop than running answers get", () => {
  // Written by this project: the shape is Compose's own.
  const { services } = parse(readFileSync("compose.yaml", "utf8")) as Compose;
  const given = [
    services.gateway.stop_grace_period,
    /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1] ?? "",
    /<key>ExitTimeOut<\/key>\s*<integer>(\d+)</.exec(agent)?.[1] ?? "",
  ];
  for (const time of given)
    expect(1000 * Number.parseInt(time, 10)).toBeGreaterThan(drainPatience + 10_000);
});

it("the container is reachable from this machine alone, with a read-only root", () => {
  const { services, volumes } = parse(readFileSync("compose.yaml", "utf8")) as Compose;
  expect(services.gateway).toMatchObject({ ports: ["127.0.0.1:2099:2099"], read_only: true });
  expect(Object.keys(volumes)).toEqual(["data"]);
});

const systemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

it.skipIf(!systemd)("systemd accepts the unit", () => {
  const { status, stderr } = spawnSync(
    "systemd-analyze",
    ["verify", "scripts/service/routing-gateway.service"],
    { encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
});

it("the launcher alone is told to stop", () => {
  expect(unit).toMatch(/^KillMode=mixed$/m);
});
