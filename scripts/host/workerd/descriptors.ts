/** How many files and connections workerd may hold open at once: it ends when a connection finds none left. */
import { execFileSync } from "node:child_process";

const least = 4096;
/** What a system without a limit counts as. */
const unlimited = 1_048_576;

/** Shell text that raises the limit of its process as far as the system lets it. Node has no call for it. */
export const raiseDescriptorLimit = 'ulimit -Sn "$(ulimit -Hn)" 2>/dev/null';

/** The limit that workerd gets. Throws, in words for the user, where the system allows too few. */
export function descriptorLimit(): number {
  const text = execFileSync("/bin/sh", ["-c", `${raiseDescriptorLimit}; ulimit -Sn`], {
    encoding: "utf8",
  }).trim();
  const limit = text === "unlimited" ? unlimited : Number(text);
  if (limit >= least) return limit;
  throw new Error(
    `This shell allows ${limit} open files (ulimit -Hn), and the gateway needs at least ${least}: every workspace in use holds three, every connection one. Raise the hard limit (ulimit -n, LimitNOFILE of systemd, --ulimit nofile of docker), then start again.`,
  );
}
