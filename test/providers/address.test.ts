import { describe, expect, it } from "vitest";

import { Problem } from "../../src/core/problem.ts";
import { checkBaseUrl } from "../../src/providers/connection/address.ts";
import type { Reach } from "../../src/store/env.ts";

function outcome(url: string, reach: Reach): string {
  try {
    checkBaseUrl(url, reach);
    return "ok";
  } catch (error) {
    if (error instanceof Problem) return error.marker;
    throw error;
  }
}

const hidden = [
  "http://127.0.0.1:8000/v1",
  "https://127.0.0.1/v1",
  "https://localhost/v1",
  "https://LOCALHOST./v1",
  "https://models.localhost/v1",
  "https://printer.local/v1",
  "https://intranet/v1",
  "https://10.1.2.3/v1",
  "https://172.16.0.1/v1",
  "https://172.31.255.255/v1",
  "https://192.168.0.10/v1",
  "https://100.64.0.1/v1",
  "https://169.254.169.254/latest",
  "https://metadata.google.internal/",
  "https://0.0.0.0/v1",
  "https://0/v1",
  "https://2130706433/v1",
  "https://0x7f000001/v1",
  "https://0x7f.1/v1",
  "https://017700000001/v1",
  "https://0177.0.0.1/v1",
  "https://127.1/v1",
  "https://%31%32%37.0.0.1/v1",
  "https://①②⑦.0.0.1/v1",
  "https://[::1]/v1",
  "https://[::]/v1",
  "https://[0:0:0:0:0:0:0:1]/v1",
  "https://[::ffff:127.0.0.1]/v1",
  "https://[::ffff:7f00:1]/v1",
  "https://[::127.0.0.1]/v1",
  "https://[fe80::1]/v1",
  "https://[fc00::1]/v1",
  "https://[fd12:3456::1]/v1",
  "https://[64:ff9b::7f00:1]/v1",
  "https://[64:ff9b:1::1]/v1",
  "https://[2002:7f00:1::]/v1",
  "https://[2002:c0a8:1::]/v1",
  "https://[2001:0:1::1]/v1",
  "https://[2001:db8::1]/v1",
  "https://[ff02::1]/v1",
  "https://198.18.0.1/v1",
  "https://224.0.0.1/v1",
  "https://255.255.255.255/v1",
  "https://168.63.129.16/v1",
  "https://127.0.0.1.nip.io/v1",
  "https://10-0-0-1.sslip.io/v1",
  "https://ollama/v1",
  "https://ollama./v1",
  "https://printer.local./v1",
  "https://llm.internal../v1",
  "https://llm.lan/v1",
  "https://llm.home.arpa/v1",
  "https://llm.corp/v1",
  "https://LLM.Intranet/v1",
  "https://llm.home/v1",
  "https://llm.private/v1",
  "https://llm.localdomain/v1",
  "https://llm.svc.cluster.local/v1",
  "https://llm.service.consul/v1",
  "https://llm.test/v1",
];

const open = [
  "https://api.openai.com/v1",
  "https://8.8.8.8/v1",
  "https://172.32.0.1/v1",
  "https://172.15.0.1/v1",
  "https://100.128.0.1/v1",
  "https://[2606:4700:4700::1111]/v1",
  "https://[2002:808:808::]/v1",
  "https://llm.example.com:8443/base/v1",
];

describe("addresses of providers", () => {
  it.each(hidden)("cloud mode refuses %s as private", (url) => {
    expect(outcome(url, "public")).toBe("M303");
  });

  it.each(open)("cloud mode takes %s", (url) => {
    expect(outcome(url, "public")).toBe("ok");
  });

  it.each([
    "http://api.openai.com/v1",
    "ftp://api.openai.com",
    "https://me:secret@api.openai.com/v1",
    "no address",
    "file:///etc/passwd",
  ])("neither mode takes %s", (url) => {
    expect(["M300", "M303"]).toContain(outcome(url, "public"));
    expect(outcome(url, "everywhere")).toBe("M300");
  });

  it.each([
    "http://127.0.0.1:8000/v1",
    "http://ollama:11434/v1",
    "http://gpu.lan/v1",
    "http://[fd00::2]:8000/v1",
    "https://127.0.0.1/v1",
    "https://api.openai.com/v1",
  ])("self-hosted mode takes %s", (url) => {
    expect(outcome(url, "everywhere")).toBe("ok");
  });
});
