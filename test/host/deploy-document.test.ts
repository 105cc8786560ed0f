/** Every command of docs/deploy.md that needs no account is run, so that the document stays true. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const text = readFileSync("docs/deploy.md", "utf8");
const lines = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);

/** Lines that are run elsewhere, or need what a test does not have. */
const marked = /\s# (account|CI)$/;

describe("docs/deploy.md", () => {
  it("takes ten lines from a clone to an address", () => {
    const [first = ""] = /```sh\n(.*?)```/s.exec(text)?.slice(1) ?? [];
    expect(first.trim().split("\n")).toHaveLength(10);
  });

  it("marks what needs an account, and nothing else", () => {
    for (const line of lines.filter((one) => one.endsWith(" # account")))
      expect(line).toMatch(/^(npx wrangler|openssl .* \| npx wrangler|curl https:)/);
    for (const line of lines.filter((one) => !marked.test(one)))
      expect(line).not.toMatch(/wrangler (?!deploy --dry-run)/);
  });

  it.each(lines.filter((line) => !marked.test(line)))(
    "%s",
    (line) => {
      const { status, stderr } = spawnSync("bash", ["-c", line], { encoding: "utf8" });
      expect(status, stderr).toBe(0);
    },
    180_000,
  );
});
