/** Parts of pages that the server renders and a script puts in place. */

/** The HTML of a part of a page. `part` says which one; `1` is the page's only part. Throws unless the status is 2xx. */
export async function fetchPart(address: string, part = "1"): Promise<string> {
  const response = await fetch(address, { headers: { "X-Part": part } });
  if (response.status === 401) location.assign("/dashboard/sign-in");
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return await response.text();
}

/** Loads the parts that a page leaves for later: elements with `data-load`. */
export function loadParts(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-load]")) {
    fetchPart(place.dataset["load"] ?? "").then(
      (html) => (place.innerHTML = html),
      // The link in its place leads to the same content.
      () => undefined,
    );
  }
}
