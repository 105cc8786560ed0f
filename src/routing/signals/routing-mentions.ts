/** Removes sentences about routing itself: a prompt that asks for a tier or a model is scored by the rest of it. */

/** A sentence with one of these words and one of `levelWords` is about routing. */
const routingWords = [
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
/** Names of tiers and makers, and words that rank models. */
const levelWords = [
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
/** Each of these alone makes a sentence one about routing. */
const routingPhrases = [
  "x-gateway-tier",
  "tier=reasoning",
  "tier: reasoning",
  "tier=complex",
  "tier: complex",
  "reasoning tier",
  "complex tier",
] as const;

/** The text without such sentences. Sentences end at line ends and at full stops of any script. */
export function removeRoutingMentions(text: string): string {
  const lower = text.toLowerCase();
  // Almost every prompt returns here.
  if (!routingWords.some((word) => lower.includes(word))) return text;
  const kept: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !endsSentence(text, at)) continue;
    const sentence = lower.slice(start, at + 1);
    if (!isAboutRouting(sentence)) kept.push(text.slice(start, at + 1));
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

/** Longer sentences are about something else as well. */
const maxSentence = 240;

function isAboutRouting(sentence: string): boolean {
  if (routingPhrases.some((words) => sentence.includes(words))) return true;
  if (sentence.length > maxSentence) return false;
  return (
    routingWords.some((word) => sentence.includes(word)) &&
    levelWords.some((word) => sentence.includes(word))
  );
}
