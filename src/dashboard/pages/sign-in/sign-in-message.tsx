/** What the sign-in tells people, as a page. */
import type { MessageForm, SignInMessage } from "../../../sign-in/message.ts";
import { PlainPage } from "../../components/frame/plain-page.tsx";

/** The page as HTML. Its theme is the system's: the cookie of the theme stays with the dashboard. */
export async function writeSignInMessage(message: SignInMessage): Promise<string> {
  const { title, words } = message;
  const page = (
    <PlainPage title={title} theme="auto">
      {words.map((text) => (
        <p>{text}</p>
      ))}
      {"form" in message ? <Question form={message.form} /> : <WayOn link={message.link} />}
    </PlainPage>
  );
  return String(await page);
}

function WayOn({
  link: { href, label },
}: {
  link: { readonly href: string; readonly label: string };
}) {
  return (
    <p>
      <a class="button" href={href}>
        {label}
      </a>
    </p>
  );
}

function Question({ form: { action, hidden, buttons } }: { form: MessageForm }) {
  return (
    <form method="post" action={action} class="buttons">
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {buttons.map(({ name, value, label }, index) => (
        <button type="submit" name={name} value={value} class={index === 0 ? "primary" : undefined}>
          {label}
        </button>
      ))}
    </form>
  );
}
