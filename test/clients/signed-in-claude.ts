/**
 * Claude Code as somebody's company set it up: the machine's managed settings name the gateway, and the program is signed
 * in there. Those settings bind every Claude Code of a machine, so each run has an `/etc` of its own, in a mount
 * namespace: Linux, and root.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Ended, execute } from "./cli.ts";

/** What the token endpoint answered. */
export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  email: string;
}

/** What Claude Code keeps of a sign-in. */
interface StoredSignIn {
  url: string;
  jwt: string;
  expiresAt: number;
  tokenEndpoint: string;
  revocationEndpoint: string;
  idpRefreshToken?: string;
  email: string;
  vouchedAtLogin: boolean;
}

interface Credentials {
  gatewayTrust: Record<string, string>;
  enterpriseGateway?: StoredSignIn;
}

const namespace = ["--mount", "--propagation", "private"];

/** Whether this machine lets us give a process an `/etc` of its own. */
export function machinesPossible(): boolean {
  const { status } = spawnSync("unshare", [...namespace, "mount", "--bind", "/etc", "/etc"]);
  return status === 0;
}

/** A machine with its own settings and one home. */
export class CompanyMachine {
  readonly #folder: string;
  readonly #bin: string;
  readonly #gateway: string;

  /** `bin`: the folder of the program. `gateway`: where the company's settings send it. */
  constructor(folder: string, { bin, gateway }: { bin: string; gateway: string }) {
    this.#folder = folder;
    this.#bin = bin;
    this.#gateway = gateway;
    for (const name of ["home/.claude", "work"])
      mkdirSync(path.join(folder, name), { recursive: true });
    const onboarded = JSON.stringify({ hasCompletedOnboarding: true });
    writeFileSync(path.join(folder, "home/.claude.json"), onboarded);
    const settings = { forceLoginMethod: "gateway", forceLoginGatewayUrl: gateway };
    writeFileSync(path.join(folder, "managed-settings.json"), JSON.stringify(settings));
  }

  /** Keeps the tokens as the program itself does after `/login`. `left`: seconds that its access token is believed to have. */
  signIn(tokens: TokenAnswer, left = tokens.expires_in): void {
    const { access_token: jwt, refresh_token: idpRefreshToken, email } = tokens;
    this.#write({
      gatewayTrust: { [new URL(this.#gateway).hostname]: "http-loopback" },
      enterpriseGateway: {
        url: this.#gateway,
        jwt,
        expiresAt: Date.now() + left * 1000,
        tokenEndpoint: `${this.#gateway}/oauth/token`,
        revocationEndpoint: `${this.#gateway}/oauth/revoke`,
        idpRefreshToken,
        email,
        vouchedAtLogin: false,
      },
    });
  }

  /** The sign-in as the program keeps it now. */
  signedIn(): { access: string; refresh: string | undefined } | undefined {
    if (!existsSync(this.#credentials)) return undefined;
    // Written by this class or by the program.
    const stored = JSON.parse(readFileSync(this.#credentials, "utf8")) as Credentials;
    const kept = stored.enterpriseGateway;
    return kept && { access: kept.jwt, refresh: kept.idpRefreshToken };
  }

  /** Runs the program; without an answer after three minutes it is ended. */
  run(args: string[]): Promise<Ended> {
    const etc = path.join(this.#folder, "etc");
    const script = [
      "set -e",
      `rm -rf "${etc}" && cp -a /etc "${etc}" && mkdir -p "${etc}/claude-code"`,
      `cp "${this.#folder}/managed-settings.json" "${etc}/claude-code/managed-settings.json"`,
      `mount --bind "${etc}" /etc`,
      `exec "${path.join(this.#bin, "claude")}" "$@"`,
    ].join("\n");
    const { PATH = "", LANG = "C.UTF-8" } = process.env;
    const env = {
      PATH,
      LANG,
      TERM: "dumb",
      HOME: path.join(this.#folder, "home"),
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const inside = [...namespace, "sh", "-c", script, "sh", ...args];
    return execute("unshare", inside, { cwd: path.join(this.#folder, "work"), env });
  }

  get #credentials(): string {
    return path.join(this.#folder, "home/.claude/.credentials.json");
  }

  #write(credentials: Credentials): void {
    writeFileSync(this.#credentials, JSON.stringify(credentials), { mode: 0o600 });
  }
}
