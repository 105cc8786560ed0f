/** The pages without navigation: signing in, and what went wrong. */
import type { Mode } from "../../store/env.ts";
import { Field } from "../fields.tsx";
import { Icon } from "../icons.tsx";
import { Document } from "../layout.tsx";
import type { Theme } from "../shared/page-context.ts";
import type { SignIn } from "../session.ts";

interface SignInProps {
  theme: Theme;
  mode: Mode;
  outcome?: Exclude<SignIn, { ok: true }>;
}

export function SignInPage({ theme, mode, outcome }: SignInProps) {
  const fault =
    outcome === undefined ? undefined : { field: "token", message: faultWords(outcome) };
  return (
    <Document title="Sign in" theme={theme}>
      <main id="content" class="door" tabindex={-1}>
        <form method="post" action="/dashboard/sign-in" class="card">
          <p class="brand">
            <Icon name="logo" /> <span>Gateway</span>
          </p>
          <h1>Sign in</h1>
          <Field
            name="token"
            label="Admin token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            hint={tokenHint(mode)}
            fault={fault}
          />
          <button type="submit" class="primary wide">
            Sign in
          </button>
        </form>
      </main>
    </Document>
  );
}

function tokenHint(mode: Mode): string {
  return mode === "cloud"
    ? "The token of your workspace, as it was shown when the workspace was made."
    : "Printed at the first start, and kept in .dev.vars as ADMIN_TOKEN. API keys do not open this door.";
}

function faultWords(outcome: Exclude<SignIn, { ok: true }>): string {
  switch (outcome.reason) {
    case "wrong":
      return "This is not the admin token. Check for missing characters and try again.";
    case "wait":
      return `Too many tries. Wait ${Math.ceil(outcome.seconds / 60)} min and try again.`;
    default:
      return outcome satisfies never;
  }
}

export function FaultPage(props: { status: number; words: string | undefined; theme: Theme }) {
  const { status, words, theme } = props;
  const title = status === 404 ? "Not found" : status === 500 ? "Something failed" : "Not possible";
  return (
    <Document title={title} theme={theme}>
      <main id="content" class="door" tabindex={-1}>
        <div class="card">
          <h1>{title}</h1>
          <p>
            {words ?? "The gateway failed to make this page. Its log has the details; try again."}
          </p>
          <p>
            <a class="button" href="/dashboard">
              To the overview
            </a>
          </p>
        </div>
      </main>
    </Document>
  );
}
