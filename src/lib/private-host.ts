/** Which hosts are private: near machines, private and reserved networks, and names that lead to them. */
import { withoutEnd } from "./trim-end.ts";

/** Names that stand for machines near by, and public names that answer with the address written in them. */
const nearNames = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "intra",
  "private",
  "lan",
  "home",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "mail",
  "corp",
  "domain",
  "localnet",
  "cluster",
  "consul",
  "docker",
  // Names that no public server can have (RFC 6761, RFC 7686, RFC 9476).
  "test",
  "example",
  "invalid",
  "onion",
  "alt",
];
const mirrorNames = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "traefik.me",
  "local-ip.co",
  "local-ip.sh",
  "localho.st",
  "lacolhost.com",
  "fuf.me",
  "1u.ms",
  "rbndr.us",
];

/** Whether a host of a parsed URL is (or stands for) a loopback, link-local, private or reserved address. */
export function isPrivateHost(hostname: string): boolean {
  const host = withoutEnd(hostname.toLowerCase(), ".");
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1));
  const v4 = readV4(host);
  if (v4 !== undefined) return isPrivateV4(v4);
  if (!host.includes(".")) return true;
  return [...nearNames, ...mirrorNames].some((name) => host === name || host.endsWith(`.${name}`));
}

/** The URL parser has already turned octal, hex, short and whole-number forms into four decimal parts. */
function readV4(host: string): number | undefined {
  const parts = host.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

const blocksV4: readonly [base: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
  // The clouds' metadata and platform services that sit on public numbers.
  ["168.63.129.16", 32],
  ["100.100.100.200", 32],
];

function isPrivateV4(address: number): boolean {
  return blocksV4.some(([base, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((readV4(base) ?? 0) / size);
  });
}

/** Global unicast is 2000::/3 less the ranges that embed IPv4 addresses or are kept for documents and tests. */
function isPrivateV6(text: string): boolean {
  const groups = readV6(text);
  if (groups === undefined) return true;
  const [a = 0, b = 0, c = 0] = groups;
  const lastTwo = (groups[6] ?? 0) * 65_536 + (groups[7] ?? 0);
  // 64:ff9b::/96 carries an IPv4 address through a translator.
  if (a === 0x64 && b === 0xff9b && groups.slice(2, 6).every((group) => group === 0))
    return isPrivateV4(lastTwo);
  if (a < 0x2000 || a > 0x3fff) return true;
  // 6to4 carries its IPv4 address in the next two groups.
  if (a === 0x2002) return isPrivateV4(b * 65_536 + c);
  if (a === 0x2001 && (b === 0 || b === 0xdb8 || (b >= 0x10 && b <= 0x2f))) return true;
  return a === 0x3fff && b < 0x1000;
}

/** Eight groups. The URL parser writes an embedded IPv4 address as two hexadecimal groups. */
function readV6(text: string): number[] | undefined {
  const [head = "", tail, extra] = text.split("::");
  if (extra !== undefined) return undefined;
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = 8 - left.length - right.length;
  if (tail === undefined ? gap !== 0 : gap < 0) return undefined;
  const groups = [...left, ...Array.from({ length: gap }, () => "0"), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
  return groups.every((group) => group >= 0 && group <= 0xffff) ? groups : undefined;
}
