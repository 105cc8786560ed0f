/** What the sign-in tells people: a few words and one way on. The dashboard knows how that looks. */

/** A page without navigation. */
export interface SignInMessage {
  status: 200 | 400 | 403 | 404 | 429 | 502;
  title: string;
  /** Paragraphs. */
  words: readonly string[];
  link: { href: string; label: string };
}

/** Writes the message as a page of HTML. */
export type MessageWriter = (message: SignInMessage) => string | Promise<string>;
