/** A form with a file, read while it arrives. */
import { describe, expect, it } from "vitest";
import { type ByteReader, joined } from "../../src/lib/bytes.ts";
import { readUpload } from "../../src/lib/multipart-upload.ts";

const boundary = "----x";

function readerOf(bytes: Uint8Array, size: number): ByteReader {
  let at = 0;
  return {
    async read() {
      const piece = bytes.subarray(at, (at += size));
      return piece.length === 0 ? undefined : piece;
    },
    async cancel() {},
  };
}

async function bodyOf(form: FormData): Promise<{ bytes: Uint8Array; boundary: string }> {
  const answer = new Response(form);
  const type = answer.headers.get("content-type") ?? "";
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    boundary: type.slice(type.indexOf("boundary=") + "boundary=".length),
  };
}

async function allOf(file: ByteReader | undefined): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for (let piece = await file.read(); piece !== undefined; piece = await file.read())
    pieces.push(piece);
  return joined(pieces);
}

describe("a form with a file", () => {
  const hostile = Buffer.from(`a\r\n--${boundary.slice(0, 4)}\r\n\r\n--\r\r\n-`);

  it.each([1, 13, 4096])("gives its fields and its file in pieces of %i bytes", async (size) => {
    for (const content of [new Uint8Array(0), new Uint8Array(100_000).fill(13), hostile]) {
      const form = new FormData();
      form.append("passphrase", "ü horse");
      form.append("empty", "");
      form.append("backup", new Blob([content]), "name.backup");
      const body = await bodyOf(form);
      const { fields, file } = await readUpload(readerOf(body.bytes, size), body.boundary);
      expect([...fields]).toEqual([
        ["passphrase", "ü horse"],
        ["empty", ""],
      ]);
      const read = await allOf(file);
      expect(Buffer.compare(read ?? Buffer.from("none"), content)).toBe(0);
    }
  });

  it("says that it has no file, or no fields", async () => {
    const fields = new FormData();
    fields.append("passphrase", "p");
    const without = await bodyOf(fields);
    const read = await readUpload(readerOf(without.bytes, 10), without.boundary);
    expect(read.file).toBeUndefined();
    expect(read.fields.get("passphrase")).toBe("p");
    const only = new FormData();
    only.append("backup", new Blob(["abc"]), "n");
    const alone = await bodyOf(only);
    const { fields: none, file } = await readUpload(readerOf(alone.bytes, 10), alone.boundary);
    expect(none.size).toBe(0);
    expect(String.fromCharCode(...((await allOf(file)) ?? []))).toBe("abc");
  });

  it("is refused where it is none, is cut off, or has endless fields", async () => {
    const form = new FormData();
    form.append("backup", new Blob(["x".repeat(1000)]), "n");
    const { bytes, boundary: mark } = await bodyOf(form);
    const cut = await readUpload(readerOf(bytes.subarray(0, 500), 100), mark);
    await expect(allOf(cut.file)).rejects.toThrow("ends within the file");
    await expect(readUpload(readerOf(Buffer.from("nothing"), 3), mark)).rejects.toThrow();
    await expect(readUpload(readerOf(new Uint8Array(1_000_000), 4096), mark)).rejects.toThrow(
      "too long",
    );
  });
});
