import { expect, inject, test } from "vitest";
import { putAccount, signInAt } from "./company-sign-in.ts";

test("A company is there for tests inside workerd too", async () => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client } = inject("company");
  await putAccount(issuer, { sub: "workerd-1", email: "w@corp.test" });
  const query = new URLSearchParams({
    client_id: client,
    response_type: "code",
    scope: "openid email",
    redirect_uri: "http://gateway.test/auth/callback",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  const back = new URL(await signInAt(`${issuer}/auth?${query.toString()}`, "w@corp.test"));
  expect(back.origin).toBe("http://gateway.test");
  expect(back.searchParams.get("code")).toMatch(/./);
});
