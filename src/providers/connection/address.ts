/**
 * Which addresses a provider may have. The rule holds when a configuration is saved and again at every
 * call, so that neither an old record nor an edit behind the rule's back reaches a private network.
 */
import { Problem, problemCodes } from "../../core/problem.ts";
import { isPrivateHost } from "../../lib/private-host.ts";
import type { Reach } from "../../store/env.ts";

/**
 * The parsed address. With the reach `everywhere` https always passes, http only to private addresses; `public`
 * takes https to public addresses alone. Throws Problem M303 for a private address, M300 for any other fault.
 */
export function checkBaseUrl(text: string, reach: Reach): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined)
    throw new Problem(problemCodes.invalidRequest, "base_url: must be an http or https address");
  const isPrivate = isPrivateHost(url.hostname);
  if (reach === "public" && isPrivate) {
    throw new Problem(
      problemCodes.privateAddress,
      `base_url: ${url.hostname} is a private network address`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new Problem(
      problemCodes.invalidRequest,
      "base_url: must not contain a user name or a password",
    );
  }
  const allowed =
    url.protocol === "https:" || (url.protocol === "http:" && reach === "everywhere" && isPrivate);
  if (!allowed)
    throw new Problem(
      problemCodes.invalidRequest,
      "base_url: must begin with https:// (http:// only for private addresses of a self-hosted gateway)",
    );
  return url;
}
