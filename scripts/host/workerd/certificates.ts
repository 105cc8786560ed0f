/** Whom workerd trusts over TLS: Node's own list, so that nothing has to be installed, and one's own authorities. */
import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** PEM texts, one a certificate: the well-known ones and those in the file that `NODE_EXTRA_CA_CERTS` names. */
export function trustedCertificates(environment: NodeJS.ProcessEnv): string[] {
  const file = environment["NODE_EXTRA_CA_CERTS"];
  const own =
    file === undefined || file === "" ? [] : (readFileSync(file, "utf8").match(block) ?? []);
  return [...rootCertificates, ...own];
}
