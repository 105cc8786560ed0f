import { describe, expect, it } from "vitest";
import { csvLine } from "../../src/lib/csv.ts";

describe("a line of CSV", () => {
  it("keeps commas, quotes and line ends inside their cells", () => {
    expect(csvLine(["a,b", 'say "hi"', "two\nlines", ""])).toBe(
      '"a,b","say ""hi""","two\nlines",""\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "＠x"])(
    "makes no formula of %j",
    (text) => {
      expect(csvLine([text])).toBe(`"'${text}"\r\n`);
    },
  );

  it("leaves other texts as they are", () => {
    for (const text of ["a=b", "x@example.com", "2026-01-01T00:00:00Z", "{}"])
      expect(csvLine([text])).toBe(`"${text}"\r\n`);
  });
});
