/** A page without navigation: a card in the middle, for sign-in, waiting and errors. */
import type { Child } from "hono/jsx";
import { Icon } from "../../shared/icons.tsx";
import type { Theme } from "../../shared/page-context.ts";
import { HtmlDocument } from "./layout.tsx";

interface PlainPageProps {
  title: string;
  theme: Theme;
  children?: Child;
}

/** The card with its title. */
export function PlainPage({ title, theme, children }: PlainPageProps) {
  return (
    <HtmlDocument title={title} theme={theme}>
      <main id="content" class="centered" tabindex={-1}>
        <div class="card">
          <p class="brand">
            <Icon name="logo" /> <span>Gateway</span>
          </p>
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </HtmlDocument>
  );
}
