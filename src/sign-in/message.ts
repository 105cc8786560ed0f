/** What the sign-in tells people: a few words and the way on. The dashboard knows how that looks. */

/** A page without navigation: some words, then a link or a question. */
export type SignInMessage = {
  readonly status: 200 | 400 | 403 | 404 | 429 | 502;
  readonly title: string;
  /** Paragraphs. */
  readonly words: readonly string[];
} & ({ readonly link: MessageLink } | { readonly form: MessageForm });

/** The one way on. */
interface MessageLink {
  readonly href: string;
  readonly label: string;
}

/** A question: what is posted where, and the answers to it, the first one the main one. */
export interface MessageForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly buttons: readonly {
    readonly name: string;
    readonly value: string;
    readonly label: string;
  }[];
}

/** Writes the message as a page of HTML. */
export type MessageWriter = (message: SignInMessage) => string | Promise<string>;
