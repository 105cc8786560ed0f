/** An uploaded backup: its sender may take as long as it is long, and no longer. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readUploaded } from "../../src/admin/backup/read-uploaded.ts";
import { readUpload } from "../../src/lib/multipart-upload.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("an upload whose sender falls silent", () => {
  it("is given up, in the fields of its form too", async () => {
    const cancelled = vi.fn();
    const begin = '--b\r\nContent-Disposition: form-data; name="restore_confirm"\r\n';
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(begin)),
      cancel: cancelled,
    });
    const read = readUploaded(body, (reader) => readUpload(reader, "b"));
    const refused = expect(read).rejects.toThrow("file: was sent too slowly");
    await vi.advanceTimersByTimeAsync(61_000);
    await refused;
    expect(cancelled).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });
});
