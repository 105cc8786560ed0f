/** The question before something is destroyed, as a page of its own: it works without script. */
import { Page } from "../layout.tsx";
import { Card } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";

interface ConfirmProps {
  viewer: Viewer;
  title: string;
  words: string;
  action: string;
  button: string;
  back: string;
}

export function Confirm({ viewer, title, words, action, button, back }: ConfirmProps) {
  return (
    <Page viewer={viewer} title={title}>
      <Card>
        <p>{words}</p>
        <form method="post" action={action} class="buttons">
          <button type="submit" class="danger">
            {button}
          </button>
          <a class="button" href={back}>
            Keep it
          </a>
        </form>
      </Card>
    </Page>
  );
}
