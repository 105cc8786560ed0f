import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { accounted } from "../../scripts/bench/profile/account.ts";
import type { CpuProfile } from "../../scripts/bench/profile/inspector.ts";
import { places, stageOf } from "../../scripts/bench/profile/stages.ts";

const frame = (file: string, functionName = "f") => ({
  functionName,
  url: file,
  lineNumber: 0,
  columnNumber: 0,
});

/** Two requests: identify (with a helper of no stage below it), a wait, the row, the runtime by itself. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("", "(root)"), children: [2, 4, 5, 6] },
    { id: 2, callFrame: frame("src/gateway/identify.ts"), children: [3] },
    { id: 3, callFrame: frame("src/lib/json.ts") },
    { id: 4, callFrame: frame("src/workspace/storage/batch.ts") },
    { id: 5, callFrame: frame("", "(idle)") },
    { id: 6, callFrame: frame("", "(program)") },
  ],
  samples: [2, 3, 5, 4, 6, 5],
  timeDeltas: [10, 20, 100, 40, 6, 200],
};

describe("a profile's account", () => {
  const times = accounted(profile, ({ url }) => url, 2);
  const of = (stage: string) => times.find((time) => time.stage === stage);

  it("counts shared code for the stage that called it, and a wait for the stage before it", () => {
    expect(of("identify")).toEqual({ stage: "identify", cpu: 15, wall: 65 });
    expect(of("row")).toEqual({ stage: "row", cpu: 20, wall: 120 });
    expect(of("runtime")).toEqual({ stage: "runtime", cpu: 3, wall: 3 });
  });

  it("loses no sample", () => {
    const wall = times.reduce((sum, time) => sum + time.wall, 0);
    expect(wall * 2).toBe(profile.timeDeltas.reduce((sum, delta) => sum + delta, 0));
  });
});

describe("the stages of source files", () => {
  it("are told by places that exist", () => {
    const files = ["src", "node_modules/hono/dist"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    );
    const unused = places.filter(([place]) => !files.some((file) => place.test(file)));
    expect(unused).toEqual([]);
  });

  it("tell the storage's writes from the decision", () => {
    expect(stageOf("src/workspace/storage/batch.ts")).toBe("row");
    expect(stageOf("src/workspace/rules/admission.ts")).toBe("admit call");
    expect(stageOf("src/lib/json.ts")).toBeUndefined();
  });
});
