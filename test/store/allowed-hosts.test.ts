import { describe, expect, it } from "vitest";
import { allowedHostsOf, isAllowedHost } from "../../src/store/allowed-hosts.ts";

const own = { BOOT_ID: "boot", LISTEN_HOST: "127.0.0.1" };

function allowed(settings: Parameters<typeof allowedHostsOf>[0], hosts: readonly string[]) {
  const rules = allowedHostsOf(settings);
  return hosts.filter((host) => isAllowedHost(host, rules));
}

describe("hosts of the pages", () => {
  it("by themselves are loopback names and addresses", () => {
    const good = ["localhost:2099", "LOCALHOST.", "a.localhost", "127.0.0.1:2099", "[::1]:2099"];
    const lan = ["192.168.1.5", "[fe80::1]"];
    expect(allowed(own, [...good, ...lan])).toEqual([...good, ...lan]);
  });

  it.each([
    ["a foreign name", "evil.com"],
    ["a foreign name with the port", "evil.com:2099"],
    ["a name that begins like an address", "127.0.0.1.evil.com"],
    ["a name that ends like a good one", "evillocalhost"],
    ["a good name in front", "localhost.evil.com"],
    ["an address in another spelling", "2130706433"],
    ["brackets around a name", "[evil.com]"],
    ["two ports", "evil.com:80:80"],
    ["markup", "<script>"],
    ["nothing", ""],
  ])("are not %s", (_name, host) => {
    expect(allowed(own, [host])).toEqual([]);
  });

  it("are what the launcher listens on and what PUBLIC_URL says", () => {
    const settings = {
      ...own,
      LISTEN_HOST: "box.lan",
      PUBLIC_URL: "https://Gateway.Example.com/x",
    };
    const hosts = ["box.lan:2099", "gateway.example.com", "example.com"];
    expect(allowed(settings, hosts)).toEqual(["box.lan:2099", "gateway.example.com"]);
  });

  it("are what ALLOWED_HOSTS lists, besides the others", () => {
    const settings = { ...own, ALLOWED_HOSTS: " A.example.com:443., *.team.example ,b.example" };
    const hosts = ["b.example", "x.team.example", "x.y.team.example", "localhost"];
    expect(() => allowedHostsOf(settings)).toThrow("ALLOWED_HOSTS");
    const right = { ...settings, ALLOWED_HOSTS: "A.example.com:443, *.team.example ,b.example." };
    expect(allowed(right, [...hosts, "team.example", "a.b.example", "evil-team.example"])).toEqual(
      hosts,
    );
    expect(allowed(right, ["a.example.com"])).toEqual(["a.example.com"]);
  });

  it("are all by `*`, and on the platform while nothing is listed", () => {
    expect(allowed({ ...own, ALLOWED_HOSTS: "*" }, ["evil.com"])).toEqual(["evil.com"]);
    expect(allowed({}, ["a.workers.dev"])).toEqual(["a.workers.dev"]);
    expect(allowed({ ALLOWED_HOSTS: "a.workers.dev" }, ["evil.com", "a.workers.dev"])).toEqual([
      "a.workers.dev",
    ]);
  });

  it.each([{ ALLOWED_HOSTS: "https://a.example" }, { ALLOWED_HOSTS: "a b" }, { PUBLIC_URL: "a" }])(
    "that cannot be are refused by the setting's name: %o",
    (settings) => {
      expect(() => allowedHostsOf({ ...own, ...settings })).toThrow(Object.keys(settings)[0]);
    },
  );
});
