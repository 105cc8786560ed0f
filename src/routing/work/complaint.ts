/** Whether a human says that the work before did not succeed, judged by the beginning of what they write. */
import { complaintOpenings, complaintPhrases, shortComplaintPhrases } from "./complaint-phrases.ts";

/** Characters at the beginning of an ask that are read: who complains says so at once, then shows the error. */
const readLength = 160;
/** A longer ask is a task of its own, whatever it says. */
const longestComplaint = 2000;

/** Up to this length, in characters, an ask is nothing but the complaint. */
const shortComplaint = 120;
/** Who asks, or thanks, does not complain, though something "still" holds. */
const noComplaint =
  /[?？؟]|^(?:thank|thx|danke|merci|gracias|obrigad|grazie|bedankt|спасибо|谢谢|ありがとう|감사)/;

/** For asks that follow work; a first ask has nothing to complain of. */
export function complains(ask: string): boolean {
  if (ask.length > longestComplaint) return false;
  const head = ask.slice(0, readLength).toLowerCase().replaceAll("\u2019", "'").trimStart();
  return (
    complaintOpenings.some((opening) => head.startsWith(opening)) ||
    complaintPhrases.some((phrase) => head.includes(phrase)) ||
    isShortComplaint(ask.length, head)
  );
}

function isShortComplaint(length: number, head: string): boolean {
  return (
    length <= shortComplaint &&
    !noComplaint.test(head) &&
    shortComplaintPhrases.some((phrase) => head.includes(phrase))
  );
}
