/** The cookies of one browser, for tests that walk from page to page without one. */

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  /** The attributes as they were set, for tests of them. */
  readonly text: string;
}

/** Cookies by host, path and name; like browsers, it does not tell ports apart. It keeps no times and sends to any site. */
export class CookieJar {
  #cookies: readonly Cookie[] = [];

  /** Takes over what an answer sets and deletes. */
  take(url: string, response: Response): void {
    for (const text of response.headers.getSetCookie()) this.#set(new URL(url), text);
  }

  /** The header `Cookie` for this address; "" when no cookie belongs there. */
  header(url: string): string {
    const { hostname, pathname } = new URL(url);
    return this.#cookies
      .filter(({ host, path }) => host === hostname && covers(path, pathname))
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
  }

  /** The value of the cookie of this name, wherever it belongs. */
  value(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.value;
  }

  /** How the cookie of this name was set, attributes and all. */
  attributes(name: string): string | undefined {
    return this.#cookies.find((cookie) => cookie.name === name)?.text;
  }

  /** Names of all cookies. */
  names(): string[] {
    return this.#cookies.map(({ name }) => name);
  }

  /** Puts a cookie in that no answer set. */
  plant(url: string, text: string): void {
    this.#set(new URL(url), text);
  }

  /** A second browser with the same cookies. */
  copy(): CookieJar {
    const jar = new CookieJar();
    jar.#cookies = this.#cookies;
    return jar;
  }

  #set(url: URL, text: string): void {
    const [pair = "", ...attributes] = text.split(";").map((part) => part.trim());
    const [name = "", ...rest] = pair.split("=");
    const path = attribute(attributes, "path") ?? "/";
    const others = this.#cookies.filter(
      (cookie) => cookie.name !== name || cookie.path !== path || cookie.host !== url.hostname,
    );
    const cookie = { name, value: rest.join("="), host: url.hostname, path, text };
    this.#cookies = isGone(attributes) ? others : [...others, cookie];
  }
}

function covers(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}

function isGone(attributes: readonly string[]): boolean {
  const expires = attribute(attributes, "expires");
  const isPast = expires !== undefined && Date.parse(expires) < Date.now();
  return attribute(attributes, "max-age") === "0" || isPast;
}

function attribute(attributes: readonly string[], wanted: string): string | undefined {
  const found = attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`));
  return found?.slice(wanted.length + 1);
}
