/** `POST /oauth/device_authorization`: a program asks to be signed in, and gets the code that a person confirms. */
import { askDirectory } from "../../admin/shared/credentials/access.ts";
import type { Env } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey } from "../../store/keys.ts";
import {
  deviceGrantTime,
  devicePause,
  type NewDeviceGrant,
} from "../../workspace/accounts/tables/device-grants.ts";
import { addressOf } from "../../workspace/address/address.ts";
import { deviceAnswer, deviceRefusal } from "./answers.ts";
import { countCodeRequest } from "./throttle.ts";
import { makeDeviceCode } from "./secret-texts.ts";
import { loginNotice } from "./settings.ts";
import { makeUserCode } from "./user-code.ts";

const longestAgent = 200;
/** Of 25 billion codes a thousand are in use at most. */
const mostTries = 5;

/** `base`: the origin that the program used. */
export async function authorizeDevice(request: Request, env: Env, base: string): Promise<Response> {
  const address = addressOf(request.headers, env);
  const wait = countCodeRequest(address, Date.now());
  if (wait > 0) return deviceRefusal("slow_down", { retryAfter: wait });
  const device = await makeDeviceCode(await keyringOf(env.ENCRYPTION_KEY));
  const agent = (request.headers.get("user-agent") ?? "").slice(0, longestAgent);
  const code = await opened(env, { device: await hashKey(device), address, agent });
  if (code === undefined)
    return deviceRefusal("slow_down", {
      description: "No code is free. Try again.",
      retryAfter: 1,
    });
  const page = `${base}/dashboard/device`;
  const notice = await loginNotice(env);
  return deviceAnswer({
    device_code: device,
    user_code: code,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${code}`,
    expires_in: deviceGrantTime / 1000,
    interval: devicePause,
    ...(notice !== undefined && { login_notice: notice }),
  });
}

/** The short code under which the request waits; undefined where none was found that is free. */
async function opened(env: Env, grant: Omit<NewDeviceGrant, "code">): Promise<string | undefined> {
  for (let tries = 0; tries < mostTries; tries++) {
    const code = makeUserCode();
    const outcome = await askDirectory(env, (directory) =>
      directory.openDevice({ ...grant, code }),
    );
    if (outcome === "opened") return code;
  }
  return undefined;
}
