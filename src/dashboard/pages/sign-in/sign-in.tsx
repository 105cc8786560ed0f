/** The pages without navigation: sign-in and errors. */
import type { Mode } from "../../../store/env.ts";
import { TextField } from "../../components/fields.tsx";
import { Icon } from "../../shared/icons.tsx";
import { HtmlDocument } from "../../components/layout.tsx";
import type { Theme } from "../../shared/page-context.ts";

/** Why signing in failed. */
type SignInFailure =
  | { reason: "wrong" }
  /** Too many attempts: whole seconds to wait. */
  | { reason: "wait"; seconds: number };

interface SignInProps {
  theme: Theme;
  mode: Mode;
  failure?: SignInFailure;
}

/** The sign-in form, with what was wrong with the last attempt. */
export function SignInPage({ theme, mode, failure }: SignInProps) {
  const error =
    failure === undefined ? undefined : { field: "token", message: failureText(failure) };
  return (
    <HtmlDocument title="Sign in" theme={theme}>
      <main id="content" class="centered" tabindex={-1}>
        <form method="post" action="/dashboard/sign-in" class="card">
          <p class="brand">
            <Icon name="logo" /> <span>Gateway</span>
          </p>
          <h1>Sign in</h1>
          <TextField
            name="token"
            label="Admin token"
            type="password"
            autocomplete="current-password"
            required
            autofocus
            hint={tokenHint(mode)}
            error={error}
          />
          <button type="submit" class="primary wide">
            Sign in
          </button>
        </form>
      </main>
    </HtmlDocument>
  );
}

function tokenHint(mode: Mode): string {
  return mode === "cloud"
    ? "Your workspace's token. It was shown when the workspace was created."
    : "Printed at the first start and stored as ADMIN_TOKEN in secrets.json in the state folder. API keys can't be used to sign in.";
}

function failureText(failure: SignInFailure): string {
  switch (failure.reason) {
    case "wrong":
      return "Wrong admin token. Check that you copied all of it.";
    case "wait":
      return `Wrong admin token, and too many of them. Try again in ${Math.ceil(failure.seconds / 60)} min; the right token is accepted at once.`;
    default:
      return failure satisfies never;
  }
}

const errorTitles: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  500: "Something went wrong",
};

/** The page of a refused or failed request. `message` is undefined when the gateway itself failed. */
export function ErrorPage(props: { status: number; message: string | undefined; theme: Theme }) {
  const { status, message, theme } = props;
  const title = errorTitles[status] ?? "Request refused";
  return (
    <HtmlDocument title={title} theme={theme}>
      <main id="content" class="centered" tabindex={-1}>
        <div class="card">
          <h1>{title}</h1>
          <p>
            {message ?? "The gateway could not show this page. Try again; its log has the details."}
          </p>
          <p>
            <a class="button" href="/dashboard">
              Back to overview
            </a>
          </p>
        </div>
      </main>
    </HtmlDocument>
  );
}
