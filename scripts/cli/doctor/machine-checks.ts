/** What the machine must have. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import path from "node:path";
import { descriptorLimit } from "../../host/workerd/descriptors.ts";
import { isOldNode, nodeAdvice } from "../../host/node-version.ts";
import { workerdBinary } from "../../host/workerd/supervise.ts";
import { fine, type Finding } from "./finding.ts";

/** Before this release nobody can have installed it. */
const earliest = Date.UTC(2026, 0, 1);
const megabyte = 2 ** 20;
const little = 1024;
const tooLittle = 100;

/** All of them, for a state in that folder. */
export function checkMachine(folder: string): Finding[] {
  return [
    checkNode(process.versions.node),
    checkWorkerd(),
    checkDescriptors(),
    checkDisk(folder),
    checkClock(Date.now()),
    ...checkCertificates(process.env["NODE_EXTRA_CA_CERTS"]),
    ...checkProxies(process.env),
  ];
}

/** The Node that runs this. */
export function checkNode(version: string): Finding {
  if (!isOldNode(version)) return fine(`Node ${version}`);
  return {
    level: "fail",
    text: `Node ${version} is too old`,
    advice: nodeAdvice,
    page: "install",
  };
}

function checkWorkerd(): Finding {
  try {
    const version = execFileSync(workerdBinary(), ["--version"], { encoding: "utf8" }).trim();
    return fine(`workerd starts (${version.replace(/^workerd /, "")})`);
  } catch (error) {
    return {
      level: "fail",
      text: `workerd does not start: ${firstLine(error)}`,
      advice:
        "Install again without --omit=optional; it needs Linux with glibc 2.35 or newer, or macOS 13.5 or newer.",
      page: "install",
    };
  }
}

function checkDescriptors(): Finding {
  try {
    return fine(`${descriptorLimit()} open files allowed`);
  } catch (error) {
    return { level: "fail", text: firstLine(error) };
  }
}

function checkDisk(folder: string): Finding {
  let existing = folder;
  while (!existsSync(existing)) existing = path.dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  const free = Math.floor((bavail * bsize) / megabyte);
  if (free >= little) return fine(`${free} MB free for ${folder}`);
  return {
    level: free < tooLittle ? "fail" : "warn",
    text: `only ${free} MB free for ${folder}`,
    advice: "Free some space, shorten the log's retention, or move the state folder (--state).",
  };
}

/** A clock that is years behind: certificates of providers are not valid yet, and keys never end. */
export function checkClock(now: number): Finding {
  const shown = new Date(now).toISOString();
  if (now >= earliest) return fine(`clock: ${shown}`);
  return {
    level: "fail",
    text: `the clock says ${shown}`,
    advice: "Correct it, for example with NTP.",
  };
}

function checkCertificates(file: string | undefined): Finding[] {
  if (file === undefined || file === "") return [];
  const name = `NODE_EXTRA_CA_CERTS (${file})`;
  const advice = "Set it to a readable PEM file, or unset it. Then restart the gateway.";
  try {
    const count = readFileSync(file, "utf8").split("-----BEGIN CERTIFICATE-----").length - 1;
    if (count > 0) return [fine(`${name}: ${count} certificate${count > 1 ? "s" : ""}`)];
    return [{ level: "fail", text: `${name} contains no certificate`, advice }];
  } catch (error) {
    return [{ level: "fail", text: `${name}: ${firstLine(error)}`, advice }];
  }
}

/** workerd connects directly: a network that allows proxies alone keeps it from providers. Addresses may hold passwords. */
function checkProxies(environment: NodeJS.ProcessEnv): Finding[] {
  const set = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY"].filter(
    (name) => (environment[name] ?? "") !== "",
  );
  if (set.length === 0) return [];
  return [
    {
      level: "warn",
      text: `${set.join(", ")} set: the gateway does not use proxies`,
      advice:
        "It connects to providers directly. Set NO_PROXY=127.0.0.1,localhost so that clients reach it.",
    },
  ];
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? text;
}
