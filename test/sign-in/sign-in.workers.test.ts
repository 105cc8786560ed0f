import { describe, expect, it } from "vitest";
import { callbackFor, visit } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { gatewayWith, newAccount, page, signedIn } from "./kit.ts";

const open = gatewayWith({ SIGN_UP: "open" });

describe("signing in", () => {
  it("opens a session and goes on to the page that was asked for", async () => {
    const account = await newAccount();
    const jar = new CookieJar();
    const back = await callbackFor(open, account, {
      jar,
      path: "/auth/login?return=/dashboard/settings",
    });
    const answer = await visit({ url: back, jar, send: (request) => open.send(request) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("refresh")).toBe("0; url=/dashboard/settings");
    expect(await answer.text()).toContain('href="/dashboard/settings"');
    const { status } = await page(open, "/dashboard/settings", jar);
    expect(status).toBe(200);
  });
});
