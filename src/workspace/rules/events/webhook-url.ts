/** Which addresses webhooks may have. The rule holds when one is saved and again at every attempt. */
import { Problem, problemCodes } from "../../../core/problem.ts";
import { isPrivateHost } from "../../../lib/private-host.ts";
import type { Reach } from "../../../store/env.ts";

/** The parsed address. Throws Problem M303 for a private address where the reach is `public`, M300 for any other fault. */
export function checkWebhookUrl(text: string, reach: Reach): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Problem(problemCodes.invalidRequest, "url: must be an http or https address");
  if (url.username !== "" || url.password !== "")
    throw new Problem(
      problemCodes.invalidRequest,
      "url: must not contain a user name or a password",
    );
  if (reach === "public" && isPrivateHost(url.hostname))
    throw new Problem(
      problemCodes.privateAddress,
      `url: ${url.hostname} is a private network address`,
    );
  return url;
}
