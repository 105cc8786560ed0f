/** One's own sessions and access tokens, and leaving the workspace. */
import type { SessionView } from "../../../admin/routes/people/sessions.ts";
import type { TokenView } from "../../../admin/routes/people/tokens.ts";
import { lesserRole, memberRoles } from "../../../store/roles.ts";
import {
  Alert,
  Badge,
  Card,
  CopyBlock,
  FormAlert,
  RelativeTime,
  Table,
} from "../../components/display.tsx";
import { Select, TextField } from "../../components/fields.tsx";
import { ActionForm, ActionLink } from "../../components/guarded.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { RoleBadge, roleOptions } from "../../components/roles.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Visitor } from "../../shared/page-context.ts";

interface AccountProps {
  viewer: Visitor;
  sessions: readonly SessionView[];
  /** Of the workspace that is shown; undefined for somebody who belongs to none. */
  tokens: readonly TokenView[] | undefined;
  /** The text of a token that was made just now. */
  token?: string;
  form?: URLSearchParams;
  error?: FieldError;
}

/** All of it. */
export function AccountPage(props: AccountProps) {
  const { viewer, token, tokens } = props;
  const { access } = viewer;
  return (
    <Page
      viewer={viewer}
      title="Account"
      {...(access.kind === "person" && { lead: `${access.person.name} ${access.person.email}` })}
    >
      {token === undefined ? null : (
        <Alert kind="good">
          <strong>Copy your new access token now: it is shown only once.</strong>
          <CopyBlock text={token} label="New access token" />
        </Alert>
      )}
      <FormAlert error={props.error} fields={["name", "role", "expires_at"]} />
      <Sessions {...props} />
      {tokens === undefined ? null : <Tokens {...props} tokens={tokens} />}
      <Leaving viewer={viewer} />
    </Page>
  );
}

function Sessions({ viewer, sessions }: AccountProps) {
  return (
    <Card
      title="Sessions"
      lead="Browsers where you are signed in."
      actions={
        <form method="post" action="/dashboard/account/sign-out">
          <button type="submit" class="danger">
            Sign out everywhere
          </button>
        </form>
      }
    >
      <Table
        caption="Sessions"
        head={[
          "Browser",
          { label: "Signed in", class: "mid" },
          "Last used",
          { label: "", class: "num" },
        ]}
      >
        {sessions.map(({ id, agent, created_at: created, last_used_at: used }) => (
          <tr>
            <td class="anywhere">{browserName(agent)}</td>
            <td class="mid nowrap">
              <RelativeTime iso={created} />
            </td>
            <td class="nowrap">
              <RelativeTime iso={used} />
            </td>
            <td class="num">
              {id === viewer.session ? (
                <Badge tone="good">this browser</Badge>
              ) : (
                <form
                  method="post"
                  action={`/dashboard/account/sessions/${encodeURIComponent(id)}/end`}
                >
                  <button
                    type="submit"
                    class="small danger"
                    aria-label={`End the session in ${browserName(agent)}`}
                  >
                    End
                  </button>
                </form>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const browsers = ["Firefox", "Edg", "OPR", "Chrome", "Safari"] as const;
const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"] as const;

/** A browser's own description in two words: `Chrome, Linux`. */
export function browserName(agent: string): string {
  const browser = browsers.find((name) => agent.includes(`${name}/`));
  const system = systems.find((name) => agent.includes(name));
  const names = { Edg: "Edge", OPR: "Opera" } as Readonly<Record<string, string>>;
  const parts = [browser === undefined ? undefined : (names[browser] ?? browser), system];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? "Unknown browser" : known.join(", ");
}

const tokensPath = "/dashboard/account/tokens";

function Tokens(props: AccountProps & { tokens: readonly TokenView[] }) {
  const { tokens } = props;
  return (
    <Card
      title="Access tokens"
      lead="For the admin API. A token acts on this workspace with its own role or yours, whichever allows less."
    >
      {tokens.length === 0 ? (
        <p class="muted">No tokens.</p>
      ) : (
        <Table
          caption="Access tokens"
          head={[
            "Name",
            "Role",
            { label: "Last used", class: "mid" },
            "Expires",
            { label: "", class: "num" },
          ]}
        >
          {tokens.map((token) => (
            <TokenRow token={token} />
          ))}
        </Table>
      )}
      <NewToken {...props} />
    </Card>
  );
}

function TokenRow({ token }: { token: TokenView }) {
  const { id, name, role, expires_at: expires } = token;
  return (
    <tr>
      <td>
        {name} <span class="sub">{`…${token.last4}`}</span>
      </td>
      <td>
        <RoleBadge role={role} />
      </td>
      <td class="mid nowrap">
        <RelativeTime iso={token.last_used_at} />
      </td>
      <td class="nowrap">{expires === null ? "never" : <RelativeTime iso={expires} />}</td>
      <td class="num">
        <form method="post" action={`${tokensPath}/${encodeURIComponent(id)}/revoke`}>
          <button type="submit" class="small danger" aria-label={`Revoke the token ${name}`}>
            Revoke
          </button>
        </form>
      </td>
    </tr>
  );
}

function NewToken({ viewer, form, error }: AccountProps) {
  // No token may do more than its maker.
  const own = memberRoles.find((role) => role === viewer.scope?.caller.role) ?? "viewer";
  return (
    <ActionForm viewer={viewer} action={tokensPath} class="inline">
      <TextField
        name="name"
        label="Name"
        value={form?.get("name") ?? ""}
        placeholder="deploy script"
        error={error}
        required
      />
      <Select
        name="role"
        label="Role"
        value={form?.get("role") ?? "viewer"}
        options={roleOptions.filter(({ value }) => lesserRole(value, own) === value)}
        error={error}
      />
      <TextField
        name="expires_at"
        label="Expires (UTC, optional)"
        type="datetime-local"
        value={form?.get("expires_at") ?? ""}
        error={error}
      />
      <button type="submit" class="primary">
        Create token
      </button>
    </ActionForm>
  );
}

function Leaving({ viewer }: { viewer: Visitor }) {
  const { access } = viewer;
  if (access.kind !== "person" || viewer.scope === undefined) return null;
  const current = access.memberships.find(({ workspace }) => workspace === viewer.scope?.workspace);
  return (
    <Card
      title="Leave the workspace"
      lead="Your keys and access tokens for it stop working immediately."
    >
      <ActionLink viewer={viewer} class="danger" href="/dashboard/account/leave">
        {`Leave ${current?.name ?? "this workspace"}…`}
      </ActionLink>
    </Card>
  );
}
