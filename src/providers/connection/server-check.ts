/**
 * What stands in the way of a server that a call did not reach. The runtime says only that a call failed, so the launcher
 * of `npm start` is asked, which can look: the name, the port, the certificate.
 */
import * as z from "zod";
import type { Env, Reach } from "../../store/env.ts";

const findings = [
  "dns",
  "private_address",
  "refused",
  "unreachable",
  "timeout",
  "certificate_expired",
  "certificate_name",
  "certificate_authority",
  "certificate",
  /** It speaks HTTP where HTTPS was tried, or the other way round. */
  "http",
  "https",
  /** It takes connections: the fault lies behind them. */
  "open",
] as const;

/** What was found out about a server. */
export type ServerFinding = (typeof findings)[number];

/** The question, as it crosses to the launcher. */
export const serverQuestionSchema = z.strictObject({
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  secure: z.boolean(),
  reach: z.enum(["public", "everywhere"]),
});

/** Which server is looked at: how it is called, and whether private addresses may be. */
export type ServerQuestion = z.infer<typeof serverQuestionSchema>;

const answerSchema = z.object({ finding: z.enum(findings) });

/** Looks at the server of an address; undefined where nobody can look. */
export type ServerCheck = (url: URL, reach: Reach) => Promise<ServerFinding | undefined>;

/** The longest that a look may take, in milliseconds. */
const longestCheck = 8000;

/** The launcher's check; one that finds nothing on the platform, and where the launcher is gone. */
export function serverCheckOf({ SERVER_CHECK, HOST_TOKEN }: Env): ServerCheck {
  return async (url, reach) => {
    if (SERVER_CHECK === undefined || HOST_TOKEN === undefined) return undefined;
    try {
      const answer = await SERVER_CHECK.fetch("http://launcher/check", {
        method: "POST",
        headers: { authorization: `Bearer ${HOST_TOKEN}` },
        body: JSON.stringify(questionOf(url, reach)),
        signal: AbortSignal.timeout(longestCheck),
      });
      const read = answerSchema.safeParse(await answer.json());
      return read.success ? read.data.finding : undefined;
    } catch {
      // The failure that is looked into is told all the same, in general words.
      return undefined;
    }
  };
}

function questionOf(url: URL, reach: Reach): ServerQuestion {
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port, secure, reach };
}
