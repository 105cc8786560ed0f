import { describe, expect, it } from "vitest";
import { keyringOf } from "../../src/store/keyring.ts";
import { hashKey, makeKey, readKey } from "../../src/store/keys.ts";
import { isOutdated, open, seal } from "../../src/store/seal.ts";

function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
}

describe("gateway keys", () => {
  it("have the prefix and at least 43 characters of base64url", async () => {
    const key = await makeKey("default", await keyringOf(newSecret()));
    expect(key).toMatch(/^gw_[A-Za-z0-9_-]{43,}$/);
  });

  it("name their workspace, and differ every time", async () => {
    const ring = await keyringOf(newSecret());
    const keys = await Promise.all([makeKey("ws_é", ring), makeKey("ws_é", ring)]);
    expect(keys[0]).not.toBe(keys[1]);
    expect(await readKey(keys[0] ?? "", ring)).toEqual({ workspace: "ws_é", proven: true });
  });

  it("are refused when any character was changed, or they were made elsewhere", async () => {
    const ring = await keyringOf(newSecret());
    const key = await makeKey("default", ring);
    for (let index = 3; index < key.length; index += 1) {
      const other = key[index] === "A" ? "B" : "A";
      const forged = key.slice(0, index) + other + key.slice(index + 1);
      expect((await readKey(forged, ring))?.proven, `character ${index}`).not.toBe(true);
    }
    expect((await readKey(key, await keyringOf(newSecret())))?.proven).toBe(false);
  });

  it.each([
    "",
    "gw_",
    "gw_x",
    "gw_====",
    "sk-test",
    `gw_${"A".repeat(43)}`,
    `gw_${"A".repeat(100_000)}`,
    "gw_é",
  ])("are refused without fuss when they are nonsense: %#", async (text) => {
    expect(await readKey(text, await keyringOf(newSecret()))).toBeUndefined();
  });

  it("hold on while the encryption key is being replaced, and are unproven when it is gone", async () => {
    const [older, newer] = [newSecret(), newSecret()];
    const key = await makeKey("default", await keyringOf(older));
    const read = async (setting: string) => readKey(key, await keyringOf(setting));
    expect(await read(`${newer},${older}`)).toEqual({ workspace: "default", proven: true });
    expect(await read(newer)).toEqual({ workspace: "default", proven: false });
  });

  it("are kept as SHA-256 only", async () => {
    expect(await hashKey("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });
});

describe("sealed credentials", () => {
  const place = { workspace: "w", provider: "p", field: "api_key" };

  it("open where they were sealed, and nowhere else", async () => {
    const ring = await keyringOf(newSecret());
    const sealed = await seal("sk-test", place, ring);
    expect(sealed).not.toContain("sk-test");
    expect(await open(sealed, place, ring)).toBe("sk-test");
    expect(await open(sealed, { ...place, workspace: "x" }, ring)).toBeUndefined();
    expect(await open(sealed, { ...place, provider: "q" }, ring)).toBeUndefined();
    expect(await open(sealed, { ...place, field: "headers.x-key" }, ring)).toBeUndefined();
    expect(await open(sealed, place, await keyringOf(newSecret()))).toBeUndefined();
  });

  it("are never taken for plain text, nor plain text for them", async () => {
    const ring = await keyringOf(newSecret());
    const sealed = await seal("sk-test", place, ring);
    expect(await open("sk-test", place, ring)).toBeUndefined();
    const twice = await seal(sealed, place, ring);
    expect(await open(twice, place, ring)).toBe(sealed);
  });

  it("differ every time, and fail when a byte is changed", async () => {
    const ring = await keyringOf(newSecret());
    const sealed = await seal("sk-test", place, ring);
    expect(await seal("sk-test", place, ring)).not.toBe(sealed);
    const changed = sealed.slice(0, -3) + (sealed.at(-3) === "A" ? "B" : "A") + sealed.slice(-2);
    expect(await open(changed, place, ring)).toBeUndefined();
  });

  it("open with an older key of the list, and are known as outdated", async () => {
    const [older, newer] = [newSecret(), newSecret()];
    const sealed = await seal("sk-test", place, await keyringOf(older));
    const both = await keyringOf(` ${newer} , ${older} `);
    expect(await open(sealed, place, both)).toBe("sk-test");
    expect(isOutdated(sealed, both)).toBe(true);
    expect(isOutdated(await seal("sk-test", place, both), both)).toBe(false);
  });
});

describe("the encryption key", () => {
  it.each(["", "short", "!!!", Buffer.from("sixteen bytes 16").toString("base64")])(
    "must be 32 bytes of base64: %#",
    async (setting) => {
      await expect(keyringOf(setting)).rejects.toThrow("ENCRYPTION_KEY");
    },
  );
});
