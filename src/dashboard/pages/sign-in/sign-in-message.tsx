/** What the sign-in tells people, as a page. */
import type { SignInMessage } from "../../../sign-in/message.ts";
import { PlainPage } from "../../components/plain-page.tsx";

/** The page as HTML. Its theme is the system's: the cookie of the theme stays with the dashboard. */
export async function writeSignInMessage({ title, words, link }: SignInMessage): Promise<string> {
  const page = (
    <PlainPage title={title} theme="auto">
      {words.map((text) => (
        <p>{text}</p>
      ))}
      <p>
        <a class="button" href={link.href}>
          {link.label}
        </a>
      </p>
    </PlainPage>
  );
  return String(await page);
}
