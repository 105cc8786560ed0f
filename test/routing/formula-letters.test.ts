/** Which single letters and numbers count as mathematics, and which only mark items of a list. */
import { describe, expect, it } from "vitest";
import { scanText } from "../../src/routing/signals/text-scan.ts";

const variables = (text: string): number => scanText(text).variables;

describe("letters that stand alone", () => {
  it.each([
    ["options with a parenthesis", "Which is a mammal?\nB) trout\nC) whale\nD) wren"],
    ["options with a point", "Which is a mammal?\nB. trout\nC. whale\nD. wren"],
    ["options in parentheses", "Which is a mammal?\n(b) trout\n(c) whale\n(d) wren"],
    ["options in one line", "Which is a mammal? b) trout c) whale d) wren"],
    ["references to parts", "Answer part (b) and part (c) again"],
    ["small Roman numbers", "Do the following:\ni. sing\nv. dance\nx. rest"],
    ["contractions", "It's late and I don't know what she'd say, they'll ask"],
    ["elisions", "L'eau de la ville n'est pas bonne, d'où vient-elle ?"],
    ["Spanish conjunctions", "padres e hijos, siete u ocho, pan y vino"],
    ["Polish prepositions", "mieszkam w domu z psem"],
  ])("are no variables: %s", (_name, text) => {
    expect(variables(text)).toBe(0);
  });

  it.each([
    ["in a sentence", "Let n and k be positive integers", 2],
    ["in a formula", "solve x + y = z", 3],
    ["as an argument", "find f(b) and g(c)", 4],
    ["at the end of a parenthesis", "expand (b + c) twice", 2],
    ["in a tuple", "the point (c, d) moves", 2],
    ["with a prime", "compute f'(x)", 2],
  ])("are variables %s", (_name, text, count) => {
    expect(variables(text)).toBe(count);
  });

  it("cost time that grows with the text, not with its square", () => {
    const steps = (length: number): number => {
      let best = Infinity;
      for (let round = 0; round < 7; round++) {
        const start = process.cpuUsage();
        scanText("b) ".repeat(length));
        const { user, system } = process.cpuUsage(start);
        best = Math.min(best, user + system);
      }
      return best;
    };
    steps(20_000);
    expect(steps(160_000)).toBeLessThan(2.5 * steps(80_000) + 20_000);
  });
});

describe("numbers before the items of a list", () => {
  it.each(["1. wash\n2. cut\n3. cook", "1) wash\n2) cut\n3) cook", "(1) wash\n(2) cut"])(
    "are no numbers of the task: %j",
    (text) => {
      expect(scanText(text).numbers).toBe(0);
    },
  );

  it("but a line can begin with a quantity", () => {
    expect(scanText("3 eggs\n2.5 cups\n120. That is all").numbers).toBe(3);
  });
});

describe("answers to choose from", () => {
  it.each([
    ["Latin", "a) eins\nb) zwei\nc) drei"],
    ["Cyrillic", "а) один\nб) два\nв) три"],
    ["Arabic", "أ) واحد\nب) اثنان\nج) ثلاثة"],
    ["Devanagari", "(क) एक\n(ख) दो\n(ग) तीन"],
    ["Thai", "ก. หนึ่ง\nข. สอง\nค. สาม"],
    ["full width", "Ａ．一\nＢ．二\nＣ．三"],
    ["Chinese with a full-width mark", "A．一\nB、二\nC）三"],
  ])("are counted in every script: %s", (_name, text) => {
    expect(scanText(text).options).toBe(3);
  });
});
