/** Keywords of a kind of work must not be everyday words. */
import { describe, expect, it } from "vitest";
import { keywordGroupNames, type KeywordGroup } from "../../src/routing/signals/keyword-groups.ts";
import { scanText } from "../../src/routing/signals/text-scan.ts";

function found(group: KeywordGroup, text: string): number {
  return scanText(text).keywords[keywordGroupNames.indexOf(group)] ?? 0;
}

describe("words of technology", () => {
  it.each([
    "He sells the rest at half price",
    "The bus driver waits for the express train in spring",
    "She fills 12 containers with shell pasta",
    "Our football training got an extension",
  ])("are no everyday words: %s", (text) => {
    expect(found("tech", text)).toBe(0);
  });

  it.each(["a REST API with Spring Boot", "an Express.js server", "write a shell script"])(
    "are known: %s",
    (text) => {
      expect(found("tech", text)).toBeGreaterThan(0);
    },
  );
});

describe("a proof by induction", () => {
  it.each([
    "Show by induction that every tree has a leaf",
    "Zeige durch Induktion, dass jeder Baum ein Blatt hat",
    "Montrer par récurrence que tout arbre a une feuille",
    "用数学归纳法说明每棵树都有叶子",
    "すべての木に葉があることを帰納法で示しなさい",
    "Tümevarımla her ağacın bir yaprağı olduğunu göster",
  ])("is known as a proof: %s", (text) => {
    expect(found("prove", text)).toBeGreaterThan(0);
  });
});

describe("questions for a number", () => {
  it.each(["再过几周他的钱就够了？", "あと何週間かかりますか。", "リンゴは何匹分ですか。"])(
    "are known with the counters of Chinese and Japanese: %s",
    (text) => {
      expect(found("count", text)).toBeGreaterThan(0);
    },
  );
});
