/** How a text can be hidden in bytes: each way in which a canary is looked for. */

const forms: Readonly<Record<string, (text: string) => readonly string[]>> = {
  plain: (text) => [text],
  base64: (text) => alignments(text),
  base64url: (text) =>
    alignments(text).map((form) => form.replaceAll("+", "-").replaceAll("/", "_")),
  hex: (text) => bothCases(Buffer.from(text).toString("hex")),
  percent: (text) => [encodeURIComponent(text), ...bothCases(everyByte(text, "%"))],
  json: (text) => [
    JSON.stringify(text).slice(1, -1),
    ...bothCases(
      Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ).map((form) => form.replaceAll("\\U", "\\u")),
  ],
  reversed: (text) => [text.split("").toReversed().join("")],
};

/** The names of the encodings. */
export const encodings: readonly string[] = Object.keys(forms);

/** Every spelling of a text in an encoding. */
export function spellings(text: string, encoding: string): readonly string[] {
  return forms[encoding]?.(text) ?? [];
}

/**
 * Base64 depends on where a text begins, modulo three. The characters in which neighbours have a part are left out.
 */
function alignments(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
}

function everyByte(text: string, mark: string): string {
  return Array.from(Buffer.from(text), (byte) => mark + byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

function bothCases(text: string): string[] {
  return [text.toLowerCase(), text.toUpperCase()];
}

/** What must not be found, by name. */
export type Canaries = Readonly<Record<string, string>>;

/** Where each canary was found: `<canary> as <encoding>`. Halves of long ones count too. */
export function findCanaries(bytes: Buffer, canaries: Canaries): string[] {
  const text = bytes.toString("latin1");
  return Object.entries(canaries).flatMap(([name, canary]) =>
    encodings
      .filter((encoding) =>
        [canary, ...halves(canary)].some((part) =>
          spellings(part, encoding).some((form) => text.includes(form)),
        ),
      )
      .map((encoding) => `${name} as ${encoding}`),
  );
}

/** A short half could be found by chance. */
function halves(canary: string): string[] {
  const middle = Math.floor(canary.length / 2);
  return middle < 16 ? [] : [canary.slice(4, middle), canary.slice(middle, -4)];
}
