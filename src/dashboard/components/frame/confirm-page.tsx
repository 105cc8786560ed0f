/** Asks before something is deleted. A page of its own, so that it works without JavaScript. */
import { Page } from "./layout.tsx";
import { Card } from "../display.tsx";
import type { Viewer } from "../../shared/page-context.ts";

interface ConfirmProps {
  viewer: Viewer;
  title: string;
  text: string;
  action: string;
  button: string;
  back: string;
  /** What the form was sent with. */
  fields?: Readonly<Record<string, string>>;
}

/** A question with one button that does it and a link back. */
export function ConfirmPage(props: ConfirmProps) {
  const { viewer, title, text, action, button, back, fields = {} } = props;
  return (
    <Page viewer={viewer} title={title}>
      <Card>
        <p>{text}</p>
        <form method="post" action={action} class="buttons">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="danger">
            {button}
          </button>
          <a class="button" href={back}>
            Cancel
          </a>
        </form>
      </Card>
    </Page>
  );
}
