import { describe, expect, it } from "vitest";
import { keyringOf } from "../../src/store/keyring.ts";
import { openedSecrets } from "../../src/store/secrets.ts";
import { env, newWorkspace, object, putConfig, restart } from "../workspace/workers-kit.ts";

const provider = {
  id: "lab",
  kind: "custom",
  format: "chat",
  base_url: "https://lab.example/v1",
  headers: { "X-Signature": "hush", "x-team": "a" },
} as const;

describe("a header that is stored in the clear, as before its name counted as a secret's", () => {
  it("is sealed when its workspace wakes", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, { providers: [provider] });
    const before = await object(workspace).snapshot();
    expect(JSON.stringify(before)).toContain("hush");
    await restart(workspace);
    const { config, generation } = await object(workspace).snapshot();
    expect(generation).toBe(before.generation + 1);
    expect(JSON.stringify(config)).not.toContain("hush");
    const [saved] = config.providers ?? [];
    if (saved === undefined) throw new Error("the provider is gone");
    expect(saved.headers).toMatchObject({ "x-team": "a" });
    const { headers } = await openedSecrets(saved, workspace, await keyringOf(env.ENCRYPTION_KEY));
    expect(headers).toEqual({ "X-Signature": "hush" });
  });
});
