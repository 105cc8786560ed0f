import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Company, startCompany } from "./company.ts";
import { putAccount, signInAt } from "./company-sign-in.ts";

const ada = { sub: "u-1", email: "ada@corp.test", name: "Ada", groups: ["dev", "ops"] };
const redirect = "http://127.0.0.1:1/auth/callback";
let company: Company;

beforeAll(async () => {
  company = await startCompany({ accounts: [ada] });
});
afterAll(() => company.close());

async function codeOf(): Promise<{ code: string; verifier: string; url: URL }> {
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: company.clientId,
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: redirect,
    state: "s",
    nonce: "n",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const url = new URL(await signInAt(`${company.issuer}/auth?${query.toString()}`, ada));
  return { code: url.searchParams.get("code") ?? "", verifier, url };
}

async function tokens({ code, verifier }: { code: string; verifier: string }) {
  const secret = `${company.clientId}:${company.clientSecret}`;
  const answer = await fetch(`${company.issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(secret).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as { id_token: string } };
}

function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
}

test("Somebody signs in, and the ID token says who they are", async () => {
  const begun = await codeOf();
  expect(Object.fromEntries(begun.url.searchParams)).toMatchObject({
    state: "s",
    iss: company.issuer,
  });
  const { status, body } = await tokens(begun);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(claimsOf(body.id_token)).toMatchObject({
    ...ada,
    email_verified: true,
    iss: company.issuer,
    aud: company.clientId,
    nonce: "n",
  });
});

test("Forgeries change claims and signatures, and a code works again only where that is wanted", async () => {
  const claims = { nonce: "other", email_verified: null };
  company.put({ ...ada, forgery: { claims, signed: "nobody", repeats: true } });
  const begun = await codeOf();
  const { body } = await tokens(begun);
  expect(claimsOf(body.id_token)["nonce"]).toBe("other");
  expect(claimsOf(body.id_token)).not.toHaveProperty("email_verified");
  expect(body.id_token).toMatch(/\.$/);
  expect((await tokens(begun)).status).toBe(200);
  company.put(ada);
  expect((await tokens(begun)).status).toBe(400);
});

test("Who is switched off is refused", async () => {
  await putAccount(company.issuer, { ...ada, off: true });
  await expect(codeOf()).rejects.toThrow("cannot sign in");
  company.put(ada);
  expect((await codeOf()).code).not.toBe("");
});
