/** The short code that a person compares and types: `XXXX-XXXX`, of 20 letters that make no words. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";
const codeLength = 8;

/** A new code. */
export function makeUserCode(): string {
  let code = "";
  while (code.length < codeLength) {
    const bytes = crypto.getRandomValues(new Uint8Array(codeLength));
    // 240 is the largest multiple of 20 in a byte: every letter is as likely as any other.
    for (const byte of bytes)
      if (byte < 240 && code.length < codeLength) code += letters.charAt(byte % letters.length);
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What was typed as the code is written; undefined when it can be none. */
export function readUserCode(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[^A-Z]/g, "");
  if (plain.length !== codeLength) return undefined;
  if ([...plain].some((letter) => !letters.includes(letter))) return undefined;
  return `${plain.slice(0, 4)}-${plain.slice(4)}`;
}
