/** The page on which people sign in: by the company's identity provider where there is one, or with an admin token. */
import type { Mode } from "../../../store/env.ts";
import { TextField } from "../../components/fields.tsx";
import { PlainPage } from "../../components/frame/plain-page.tsx";
import type { Theme } from "../../shared/page-context.ts";

/** Why signing in failed. */
type SignInFailure =
  | { reason: "wrong" }
  /** Too many attempts: whole seconds to wait. */
  | { reason: "wait"; seconds: number };

interface SignInProps {
  theme: Theme;
  mode: Mode;
  /** Host of the identity provider. */
  issuer?: string | undefined;
  failure?: SignInFailure;
}

/** Both ways in, with what was wrong with the last attempt. */
export function SignInPage(props: SignInProps) {
  const { theme, issuer, failure } = props;
  return (
    <PlainPage title="Sign in" theme={theme}>
      {issuer === undefined ? (
        <TokenForm {...props} focused />
      ) : (
        <>
          <p>
            <a class="button primary wide" href="/auth/login">{`Sign in with ${issuer}`}</a>
          </p>
          <details open={failure !== undefined}>
            <summary>Sign in with an admin token</summary>
            <TokenForm {...props} focused={failure !== undefined} />
          </details>
        </>
      )}
    </PlainPage>
  );
}

function TokenForm({ mode, failure, focused }: SignInProps & { focused: boolean }) {
  const error =
    failure === undefined ? undefined : { field: "token", message: failureText(failure) };
  return (
    <form method="post" action="/dashboard/sign-in">
      <TextField
        name="token"
        label="Admin token"
        type="password"
        autocomplete="current-password"
        required
        autofocus={focused}
        hint={tokenHint(mode)}
        error={error}
      />
      <button type="submit" class="primary wide">
        Sign in
      </button>
    </form>
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
      return `Too many wrong admin tokens. Try again in ${Math.ceil(failure.seconds / 60)} min; the right token is accepted immediately.`;
    default:
      return failure satisfies never;
  }
}
