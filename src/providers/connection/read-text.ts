/** Reads the body of an answer within bounds. */

/** At most `cap` bytes and `time` milliseconds of the body as text; what came until then when it breaks or stalls. */
export async function readTextWithin(
  response: Response,
  bounds: { cap: number; time: number },
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  let expire: (word: "late") => void = () => undefined;
  const late = new Promise<"late">((resolve) => {
    expire = resolve;
  });
  const timer = setTimeout(() => expire("late"), bounds.time);
  try {
    while (size < bounds.cap) {
      const piece = await Promise.race([reader.read(), late]);
      if (piece === "late" || piece.done) break;
      const room = bounds.cap - size;
      size += piece.value.byteLength;
      text += decoder.decode(
        piece.value.byteLength > room ? piece.value.subarray(0, room) : piece.value,
        { stream: true },
      );
    }
  } catch {
    // A connection that broke inside an error's text: what was read is what there is.
  } finally {
    clearTimeout(timer);
    // The rest is of no interest, nor how the connection ends.
    reader.cancel().catch(() => undefined);
  }
  return text + decoder.decode();
}
