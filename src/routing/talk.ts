/**
 * Leaves out sentences that talk about routing itself: a prompt that says which tier or model it deserves is
 * scored by the rest of it.
 */

/** Words for the machinery, and words for its upper end: a sentence with one of each is about routing. */
const machinery = [
  "tier",
  "route this",
  "route to",
  "routing",
  "router",
  "reroute",
  "classif",
  "model",
  "gateway",
  "x-gateway",
  "llm",
  "difficulty",
  "complexity",
  "modell",
  "modelo",
  "modèle",
  "модел",
  "模型",
  "モデル",
  "모델",
  "نموذج",
  "मॉडल",
] as const;
const upperEnd = [
  "reasoning",
  "complex",
  "strongest",
  "smartest",
  "most capable",
  "most powerful",
  "most expensive",
  "premium",
  "best model",
  "highest",
  "opus",
  "gpt-",
  "claude",
  "gemini",
  "flagship",
  "frontier",
  "maximum",
  "top tier",
  "top-tier",
  "hardest",
  "simple",
  "standard",
  "cheapest",
  "stärkste",
  "plus puissant",
  "más potente",
  "mais potente",
  "più potente",
  "самую",
  "最强",
  "最強",
  "가장",
] as const;
/** These alone are enough. */
const outright = [
  "x-gateway-tier",
  "tier=reasoning",
  "tier: reasoning",
  "tier=complex",
  "tier: complex",
  "reasoning tier",
  "complex tier",
] as const;

/** The text without such sentences. Sentences end at line ends and at full stops of any script. */
export function withoutRoutingTalk(text: string): string {
  const lower = text.toLowerCase();
  // Almost every prompt leaves here.
  if (!machinery.some((word) => lower.includes(word))) return text;
  const kept: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !endsSentence(text, at)) continue;
    const sentence = lower.slice(start, at + 1);
    if (!isRoutingTalk(sentence)) kept.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return kept.join("");
}

function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 10 || code === 0x3002 || code === 0x964) return true;
  if (code !== 46 && code !== 33 && code !== 63) return false;
  const after = text.charCodeAt(at + 1);
  return Number.isNaN(after) || after <= 32;
}

/** Longer sentences have a subject of their own. */
const longestTalk = 240;

function isRoutingTalk(sentence: string): boolean {
  if (outright.some((words) => sentence.includes(words))) return true;
  if (sentence.length > longestTalk) return false;
  return (
    machinery.some((word) => sentence.includes(word)) &&
    upperEnd.some((word) => sentence.includes(word))
  );
}
