/** The page of a form that was sent after its session had ended. */
import { PlainPage } from "../../components/frame/plain-page.tsx";
import type { Theme } from "../../shared/page-context.ts";

/** That nothing was saved, and how what was entered can be sent again: this tab still holds it. */
export function SessionEndedPage({ theme }: { theme: Theme }) {
  return (
    <PlainPage title="Your session ended" theme={theme}>
      <p>Nothing was saved. This tab still holds what you entered. To send it again:</p>
      <ol>
        <li>
          <a href="/dashboard/sign-in" target="_blank" rel="noopener">
            Sign in in a new tab
          </a>
          .
        </li>
        <li>Reload this page, and let the browser send the form again.</li>
      </ol>
    </PlainPage>
  );
}
