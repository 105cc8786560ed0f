/** The links by which a list is taken away as a file. */

/** One for each kind of file; `href` gives its address by the kind's name. */
export function ExportLinks({ href }: { href: (format: "csv" | "ndjson") => string }) {
  return (
    <>
      <a class="button" href={href("csv")} download>
        Export CSV
      </a>
      <a class="button" href={href("ndjson")} download>
        Export JSON Lines
      </a>
    </>
  );
}
