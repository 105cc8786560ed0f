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

describe("units, paths and markup", () => {
  it.each([
    ["units after a number", "a pump of 450 W lifts water 15 m in 8 h", 0],
    ["units with a slash", "they ride at 15 km/h, then fall at 10 m/s", 0],
    ["a fraction of variables", "let x/k be small", 2],
  ])("%s are told from variables", (_name, text, count) => {
    expect(scanText(text).variables).toBe(count);
  });

  it.each([
    ["units", "15 km/h and 10 m/s", 0],
    ["alternatives", "and/or, he/she", 0],
    ["paths and addresses", "see /usr/local/bin and https://example.com/docs/page", 0],
    ["bullets and bold words", "* **milk**\n* **bread**", 0],
    ["fractions", "1/2 + x/k - (n+1)/n", 5],
    ["products", "3 * 4 = 12", 2],
  ])("%s hold as many operators as they should", (_name, text, count) => {
    expect(scanText(text).operators).toBe(count);
  });
});

describe("the length of a text", () => {
  const bakery = [
    "Una panadería hace 12 bandejas de 8 panes. Vende la tercera parte por la mañana y la mitad de los que quedan por la tarde. ¿Cuántos panes quedan?",
    "面包店做了12盘面包，每盘8个。上午卖掉三分之一，下午卖掉剩下的一半。还剩多少个面包？",
    "パン屋が12枚の天板に8個ずつパンを焼きました。午前に三分の一、午後に残りの半分を売りました。パンはいくつ残っていますか？",
    "빵집에서 빵을 8개씩 12판 구웠습니다. 오전에 삼분의 일을, 오후에 남은 것의 절반을 팔았습니다. 빵은 몇 개 남았습니까?",
    "एक बेकरी ने 12 ट्रे में 8 ब्रेड प्रति ट्रे बनाईं। सुबह एक तिहाई और दोपहर में बची हुई की आधी बिकीं। कितनी ब्रेड बचीं?",
    "ร้านขนมปังอบขนมปัง 12 ถาด ถาดละ 8 ก้อน ตอนเช้าขายได้หนึ่งในสาม ตอนบ่ายขายได้ครึ่งหนึ่งของที่เหลือ เหลือขนมปังกี่ก้อน",
    "ఒక బేకరీ 12 ట్రేలలో 8 రొట్టెలు చేసింది. ఉదయం మూడో వంతు, మధ్యాహ్నం మిగిలిన వాటిలో సగం అమ్మింది. ఎన్ని రొట్టెలు మిగిలాయి?",
  ];

  it("is about the same in every script", () => {
    const english = scanText(
      "A bakery makes 12 trays of 8 rolls each. It sells a third of them in the morning and half of the rest in the afternoon. How many rolls are left?",
    ).tokens;
    for (const text of bakery) {
      const ratio = scanText(text).tokens / english;
      expect([ratio > 0.7, ratio < 1.3, ratio]).toEqual([true, true, ratio]);
    }
  });
});
