/** What the sign-in tells people, as a page. */
import type { SignInMessage } from "../../../sign-in/message.ts";
import { HtmlDocument } from "../../components/layout.tsx";

/** The page as HTML. Its theme is the system's: the cookie of the theme stays with the dashboard. */
export async function writeSignInMessage({ title, words, link }: SignInMessage): Promise<string> {
  const page = (
    <HtmlDocument title={title} theme="auto">
      <main id="content" class="centered" tabindex={-1}>
        <div class="card">
          <h1>{title}</h1>
          {words.map((text) => (
            <p>{text}</p>
          ))}
          <p>
            <a class="button" href={link.href}>
              {link.label}
            </a>
          </p>
        </div>
      </main>
    </HtmlDocument>
  );
  return String(await page);
}
