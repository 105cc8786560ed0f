/** The question before something is destroyed, as a page of its own: it works without script. */
import { Page } from "./layout.tsx";
import { Card } from "./display.tsx";
import type { Scene } from "../scene.ts";

interface ConfirmProps {
  scene: Scene;
  title: string;
  words: string;
  action: string;
  button: string;
  back: string;
}

export function ConfirmPage({ scene, title, words, action, button, back }: ConfirmProps) {
  return (
    <Page scene={scene} title={title}>
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
