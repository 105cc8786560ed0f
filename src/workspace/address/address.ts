/** Under which name a caller's address is counted. */
import type { HeaderReader } from "../../lib/header-reader.ts";
import { type Env, modeOf } from "../../store/env.ts";

/** The name for all callers whose address no trusted header gives: they are counted together. */
export const unknownAddress = "direct";

/**
 * The name under which the caller is counted. In the cloud it comes from the header that the platform sets;
 * self-hosted from the one that a reverse proxy overwrites, if the settings name one. No other header is believed,
 * because the client could have written it: a process of one's own is not the platform, whatever its mode.
 */
export function addressOf(
  headers: HeaderReader,
  env: Pick<Env, "BOOT_ID" | "MODE" | "TRUSTED_IP_HEADER">,
): string {
  const onPlatform = modeOf(env) === "cloud" && env.BOOT_ID === undefined;
  const name = onPlatform ? "cf-connecting-ip" : env.TRUSTED_IP_HEADER?.trim().toLowerCase();
  if (name === undefined || name === "") return unknownAddress;
  // Where proxies append to the header, the nearest one's entry is the last.
  const sent = headers.get(name) ?? "";
  return bucketOfAddress(sent.slice(sent.lastIndexOf(",") + 1).trim()) ?? unknownAddress;
}

/** IPv4 as it is (mapped forms too), IPv6 by its first 64 bits; undefined when it is no address. */
export function bucketOfAddress(text: string): string | undefined {
  return plainIpv4(text) ?? otherAddress(text);
}

const [zero, dot] = [48, 46];

/** Digit by digit, because every request asks: `192.0.2.1`, without zeros in front of its numbers. */
function plainIpv4(text: string): string | undefined {
  if (text.length > 15) return undefined;
  let [dots, number, digits] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === dot && digits > 0) {
      dots++;
      number = digits = 0;
    } else {
      const digit = code - zero;
      if (digit < 0 || digit > 9 || (digits > 0 && number === 0)) return undefined;
      number = number * 10 + digit;
      digits++;
      if (number > 255) return undefined;
    }
  }
  return dots === 3 && digits > 0 ? text : undefined;
}

/** Every other spelling. */
function otherAddress(text: string): string | undefined {
  const bare = withoutPort(text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  const v4 = mapped ?? bare;
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(v4)) {
    const parts = v4.split(".").map(Number);
    return parts.every((part) => part <= 255) ? parts.join(".") : undefined;
  }
  return networkOf(bare);
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}

/** The first four groups of an IPv6 address, written out. */
function networkOf(text: string): string | undefined {
  const [bare = ""] = text.split("%", 1);
  if (!bare.includes(":")) return undefined;
  let host: string;
  try {
    host = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [head = "", tail] = host.split("::", 2);
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const groups = tail === undefined ? front : [...front, ...zeros, ...back];
  // A mapped IPv4 address comes out of the parser in hexadecimal.
  if (groups.slice(0, 5).every((group) => group === "0") && groups[5] === "ffff") {
    const [high, low] = [
      Number.parseInt(groups[6] ?? "0", 16),
      Number.parseInt(groups[7] ?? "0", 16),
    ];
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}
