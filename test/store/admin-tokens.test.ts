import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  makeAdminToken,
  makeSessionId,
  provenAdminToken,
  provenSessionId,
} from "../../src/store/admin-tokens.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { makeKey } from "../../src/store/keys.ts";

const secret = (): string => randomBytes(32).toString("base64");

describe("an administrator's token", () => {
  it("proves that it was made here, also with the older key of a rotation", async () => {
    const older = secret();
    const token = await makeAdminToken(await keyringOf(older));
    expect(token).toMatch(/^gwa_[\w-]{60}$/);
    expect(await provenAdminToken(token, await keyringOf(older))).toBe("proven");
    expect(await provenAdminToken(token, await keyringOf(`${secret()},${older}`))).toBe("proven");
  });

  it("of a dropped encryption key may be good, like one of the version before", async () => {
    const ring = await keyringOf(secret());
    const token = await makeAdminToken(await keyringOf(secret()));
    expect(await provenAdminToken(token, ring)).toBe("unproven");
    const before = `gwa_${randomBytes(32).toString("base64url")}`;
    expect(await provenAdminToken(before, ring)).toBe("unproven");
  });

  it("with any character changed is forged, or of a key that is not in the list", async () => {
    const ring = await keyringOf(secret());
    const token = await makeAdminToken(ring);
    for (let at = "gwa_".length; at < token.length; at += 1) {
      const other = token[at] === "A" ? "B" : "A";
      const altered = token.slice(0, at) + other + token.slice(at + 1);
      // The tag of the encryption key stands in the first characters.
      const expected = at < 11 ? /^(forged|unproven)$/ : /^forged$/;
      expect(await provenAdminToken(altered, ring)).toMatch(expected);
    }
  });

  it.each(["", "gw_", "gwa_", "gwa_short", `gwa_${"!".repeat(60)}`, `gwa_${"A".repeat(5000)}`])(
    "is none: %#",
    async (text) => {
      const outcome = await provenAdminToken(text, await keyringOf(secret()));
      expect(outcome).toBe(text.startsWith("gwa_") ? "forged" : "foreign");
    },
  );

  it("is no session, no session a token, and a gateway key neither", async () => {
    const ring = await keyringOf(secret());
    const session = await makeSessionId(ring);
    expect(await provenSessionId(session, ring)).toBe("proven");
    expect(await provenAdminToken(`gwa_${session}`, ring)).toBe("forged");
    const token = await makeAdminToken(ring);
    expect(await provenSessionId(token.slice("gwa_".length), ring)).toBe("forged");
    const key = await makeKey("w", ring);
    expect(await provenSessionId(key.slice("gw_".length), ring)).toBe("forged");
  });
});
