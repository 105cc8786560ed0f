/** Routes of one's own sessions and access tokens, and of leaving the workspace. */
import { forbidden, notFound } from "../../../admin/shared/errors.ts";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import { roleFrom } from "../../components/roles.tsx";
import {
  expiryFrom,
  field,
  type FieldError,
  fieldProblem,
  formOf,
  tryChange,
} from "../../shared/forms.ts";
import {
  endAllSessions,
  endOwnSession,
  listSessions,
} from "../../../admin/routes/people/sessions.ts";
import {
  createToken,
  deleteToken,
  listTokens,
  type TokenView,
} from "../../../admin/routes/people/tokens.ts";
import { removeMember } from "../../../admin/routes/people/members.ts";
import {
  type PageApp,
  type PageContext,
  parameter,
  type Visitor,
} from "../../shared/page-context.ts";
import { endingKeys, keysOf } from "../members/keys-of.ts";
import { AccountPage } from "./account-page.tsx";

/** Registers them. */
export function accountRoutes(app: PageApp): void {
  app.get("/account", (c) => showAccount(c, {}));
  sessionRoutes(app);
  app.post("/account/tokens", addToken);
  app.post("/account/tokens/:id/revoke", async (c) => {
    const form = await formOf(c.req.raw);
    if (!form.has("confirmed")) return await confirmRevoking(c);
    await deleteToken(c.var.viewer.scope, parameter(c, "id"));
    return c.redirect("/dashboard/account?done=token-revoked", 303);
  });
  app.get("/account/leave", confirmLeaving);
  app.post("/account/leave", async (c) => {
    const outcome = await tryChange(() => removeMember(c.var.viewer.scope, personOf(c)));
    if (!outcome.ok) return await showAccount(c, { error: outcome.error });
    return c.redirect("/dashboard", 303);
  });
}

async function confirmRevoking(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const token = (await listTokens(viewer.scope)).find(({ id }) => id === parameter(c, "id"));
  if (token === undefined) throw notFound("This token does not exist.");
  return c.html(
    <ConfirmPage
      viewer={viewer}
      title="Revoke this token?"
      text={`${token.name === "" ? "The token" : token.name} …${token.last4} stops working immediately. This can't be undone.`}
      action={`/dashboard/account/tokens/${encodeURIComponent(token.id)}/revoke`}
      button="Revoke token"
      back="/dashboard/account"
      fields={{ confirmed: "yes" }}
    />,
  );
}

function sessionRoutes(app: PageApp): void {
  app.post("/account/sessions/:id/end", async (c) => {
    await endOwnSession(c.env, c.var.visitor.access, parameter(c, "id"));
    return c.redirect("/dashboard/account?done=session", 303);
  });
  app.post("/account/sign-out", async (c) => {
    await endAllSessions(c.env, c.var.visitor.access, null);
    return c.redirect("/dashboard/sign-in", 303);
  });
}

interface AccountState {
  token?: string;
  form?: URLSearchParams;
  error?: FieldError;
}

async function showAccount(c: PageContext, state: AccountState): Promise<Response> {
  const { visitor } = c.var;
  const [sessions, tokens] = await Promise.all([
    listSessions(c.env, visitor.access),
    ownTokens(visitor),
  ]);
  return c.html(
    <AccountPage {...{ viewer: visitor, sessions, tokens, ...state }} />,
    state.error === undefined ? 200 : 422,
  );
}

async function addToken(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(async () => {
    const name = field(form, "name");
    if (name === "") throw fieldProblem("name", "enter a name");
    const wish = { name, role: roleFrom(form), expires_at: expiryFrom(form) };
    return await createToken(c.var.viewer.scope, wish);
  });
  if (!outcome.ok) return await showAccount(c, { form, error: outcome.error });
  // Not a redirect: the token is shown in this response only.
  return await showAccount(c, { token: outcome.value.token });
}

async function confirmLeaving(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const keys = await keysOf(viewer.scope, personOf(c));
  return c.html(
    <ConfirmPage
      viewer={viewer}
      title="Leave this workspace?"
      text={`You lose access immediately. ${endingKeys(keys)} An owner can invite you again.`}
      action="/dashboard/account/leave"
      button="Leave workspace"
      back="/dashboard/account"
    />,
  );
}

/** Of the workspace that is shown; undefined for an admin token, and for somebody who belongs to none. */
async function ownTokens({ access, scope }: Visitor): Promise<TokenView[] | undefined> {
  if (access.kind !== "person" || scope === undefined) return undefined;
  const tokens = await listTokens(scope);
  return tokens.filter(({ person }) => person === access.person.id);
}

/** The person who is signed in; 403 for an admin token, which is nobody. */
function personOf(c: PageContext): string {
  const { access } = c.var.visitor;
  if (access.kind !== "person") throw forbidden();
  return access.person.id;
}
