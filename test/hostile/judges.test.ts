/** Answers of judges that are no verdicts: read in the time that their length takes. */
import { describe, expect, it } from "vitest";
import { readDecisions } from "../../src/upstream/safeguards/verdicts.ts";
import { remembered, steepGrowth } from "./growth.ts";

const allowed = '{"verdicts":[{"call":1,"decision":"allow"}]}';

describe("a judge's answer", () => {
  it.each([
    allowed,
    `\`\`\`json\n${allowed}\n\`\`\``,
    `\n\`\`\`\r\n\n${allowed}\r\n\`\`\`\n`,
    `\`\`\`json \n ${allowed}\n\n\`\`\``,
  ])("may stand in a block of code: %j", (text) => {
    expect(readDecisions(text, 1)).toEqual([{}]);
  });

  it.each(["```\n```", "```json", "```", `\`\`\`js\n${allowed}\n\`\`\``, `\`\`\`\n${allowed}`])(
    "is none in anything else: %j",
    (text) => expect(readDecisions(text, 1)).toBeUndefined(),
  );

  const shapes: Record<string, (count: number) => string> = {
    "line breaks in a block without end": (count) => `\`\`\`${"\n".repeat(count)}x`,
    "spaces in a block without end": (count) => `\`\`\`json${" \n".repeat(count)}x`,
    "ends of blocks": (count) => `\`\`\`\n${"\n```".repeat(count)}x`,
    fences: (count) => "```\n".repeat(count),
    "line breaks in a reason": (count) =>
      JSON.stringify({
        verdicts: [{ call: 1, decision: "block", reason: `a${"\r\n".repeat(count)}.` }],
      }),
    verdicts: (count) =>
      JSON.stringify({ verdicts: Array.from({ length: count }, () => ({ call: 1 })) }),
  };
  it.each(Object.entries(shapes))("takes as long as it is: %s", (_name, make) => {
    const made = remembered(make);
    expect(steepGrowth((count) => void readDecisions(made(count), 1))).toBeUndefined();
  });
});
