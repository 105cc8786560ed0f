/** Everybody in the workspace, and invitations: making one, those that are open. */
import type { InvitationView } from "../../../admin/routes/people/invitations.ts";
import type { MemberView } from "../../../admin/routes/people/members.ts";
import {
  Alert,
  Badge,
  Card,
  CopyBlock,
  FormAlert,
  RelativeTime,
  Table,
  Timestamp,
} from "../../components/display.tsx";
import { Select, TextField } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { LimitGauge, type ShownLimit } from "../../components/limits.tsx";
import { RoleBadge, roleOptions } from "../../components/roles.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { Viewer } from "../../shared/page-context.ts";

interface MembersProps {
  viewer: Viewer;
  members: readonly MemberView[];
  /** Only for those who may invite. */
  invitations: readonly InvitationView[];
  limitsOf: (person: string) => readonly ShownLimit[];
  timezone: string;
  /** The link of an invitation that was made just now. */
  link?: string;
  form?: URLSearchParams;
  error?: FieldError;
}

/** All of it. */
export function MembersPage(props: MembersProps) {
  const { viewer, link } = props;
  return (
    <Page
      viewer={viewer}
      title="Members"
      lead="Owners can change everything, members manage their own keys, viewers can only read."
    >
      {link === undefined ? null : <NewLink link={link} />}
      <MemberTable {...props} />
      {viewer.allows("POST", invitationsPath) ? (
        <>
          <NewInvitation {...props} />
          <OpenInvitations {...props} />
        </>
      ) : null}
    </Page>
  );
}

const invitationsPath = "/dashboard/invitations";

function NewLink({ link }: { link: string }) {
  return (
    <Alert kind="good">
      <strong>Copy the invitation link now: it is shown only once.</strong>
      <CopyBlock text={link} label="Invitation link" />
      <p class="hint">
        It works for one person. Send it to them: they become a member when they sign in.
      </p>
    </Alert>
  );
}

function MemberTable({ members, limitsOf, timezone }: MembersProps) {
  return (
    <Card>
      {members.length === 0 ? (
        <p class="muted">Nobody has joined this workspace yet.</p>
      ) : (
        <Table
          caption="Members"
          head={[
            "Person",
            "Role",
            { label: "Joined", class: "mid" },
            { label: "Last seen", class: "mid" },
            { label: "Limits", class: "mid" },
          ]}
        >
          {members.map((member) => (
            <tr>
              <td>
                <a class="anywhere" href={`/dashboard/members/${encodeURIComponent(member.id)}`}>
                  {member.email}
                </a>
                {member.name === "" ? null : <span class="sub">{member.name}</span>}
              </td>
              <td>
                <RoleBadge role={member.role} />
              </td>
              <td class="mid nowrap">
                <Timestamp iso={member.joined_at} timezone={timezone} />
              </td>
              <td class="mid nowrap">
                <RelativeTime iso={member.last_seen_at} />
              </td>
              <td class="mid">
                <Gauges limits={limitsOf(member.id)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

function Gauges({ limits }: { limits: readonly ShownLimit[] }) {
  if (limits.length === 0) return <span class="muted">none</span>;
  return (
    <>
      {limits.map((limit) => (
        <LimitGauge limit={limit} />
      ))}
    </>
  );
}

const expiries = [
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
];

function NewInvitation({ form, error }: MembersProps) {
  return (
    <Card title="Invite a person" lead="The invitation is a link that works once.">
      <FormAlert error={error} fields={["email", "role", "expires_in"]} />
      <form method="post" action={invitationsPath} class="inline">
        <Select
          name="role"
          label="Role"
          value={form?.get("role") ?? "member"}
          options={roleOptions}
          error={error}
        />
        <TextField
          name="email"
          label="E-mail (optional)"
          value={form?.get("email") ?? ""}
          placeholder="ada@example.com"
          error={error}
          hint="Only this address can use it."
        />
        <Select
          name="expires_in"
          label="Expires in"
          value={form?.get("expires_in") ?? "604800"}
          options={expiries}
          error={error}
        />
        <button type="submit" class="primary">
          Create link
        </button>
      </form>
    </Card>
  );
}

function OpenInvitations({ invitations }: MembersProps) {
  if (invitations.length === 0) return null;
  return (
    <Card title="Open invitations">
      <Table
        caption="Open invitations"
        head={["For", "Role", "Expires", { label: "", class: "num" }]}
      >
        {invitations.map(({ id, email, role, expires_at: expires }) => (
          <tr>
            <td class="anywhere">{email ?? "anyone with the link"}</td>
            <td>
              <Badge tone="plain">{role}</Badge>
            </td>
            <td class="nowrap">
              <RelativeTime iso={expires} />
            </td>
            <td class="num">
              <form method="post" action={`${invitationsPath}/${encodeURIComponent(id)}/revoke`}>
                <button
                  type="submit"
                  class="small danger"
                  aria-label={`Revoke the invitation for ${email ?? "anyone with the link"}`}
                >
                  Revoke
                </button>
              </form>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
