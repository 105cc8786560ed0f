/** One member: role, limits, and removing them. */
import type { Child } from "hono/jsx";
import type { BlockView } from "../../../admin/routes/usage/limits.ts";
import type { MemberView } from "../../../admin/routes/people/members.ts";
import { Card, FormAlert, RelativeTime, Timestamp } from "../../components/display.tsx";
import { Select } from "../../components/fields.tsx";
import { ActionLink, SettingsForm } from "../../components/guarded.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { LimitsCard, type ShownLimit } from "../../components/limits.tsx";
import { roleOptions } from "../../components/roles.tsx";
import type { FieldError } from "../../shared/forms.ts";
import type { RefusedLimit } from "../../shared/limit-changes.ts";
import type { LimitChange } from "../../shared/limit-undo.ts";
import type { Viewer } from "../../shared/page-context.ts";

interface MemberProps {
  viewer: Viewer;
  member: MemberView;
  limits: readonly ShownLimit[];
  blocks: readonly BlockView[];
  /** What was changed of them just before. */
  change: LimitChange | undefined;
  timezone: string;
  /** The key of the limit to change. */
  edited: string;
  error?: FieldError;
  limit?: RefusedLimit;
}

/** All of it. */
export function MemberPage(props: MemberProps) {
  const { viewer, member, limits, blocks, change, timezone, edited, limit } = props;
  const page = `/dashboard/members/${encodeURIComponent(member.id)}`;
  return (
    <Page
      viewer={viewer}
      title={member.email}
      lead={<a href="/dashboard/members">Members</a>}
      actions={
        <ActionLink viewer={viewer} class="danger" href={`${page}/remove`}>
          Remove…
        </ActionLink>
      }
    >
      <Card title="Role">
        <Facts {...props} />
        <RoleForm {...props} page={page} />
      </Card>
      <LimitsCard
        {...{ viewer, limits, blocks, change, timezone, edited, page, ...limit }}
        owner="this person, with all keys together,"
        action={`${page}/limits`}
      />
    </Page>
  );
}

function Facts({ member, timezone }: MemberProps) {
  const facts: [string, Child][] = [
    ["Name", member.name === "" ? "–" : member.name],
    ["Joined", <Timestamp iso={member.joined_at} timezone={timezone} full />],
    ["Last seen", <RelativeTime iso={member.last_seen_at} />],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RoleForm({ viewer, member, error, page }: MemberProps & { page: string }) {
  return (
    <>
      <FormAlert error={error} fields={["role"]} />
      <SettingsForm viewer={viewer} action={`${page}/role`} class="inline">
        <Select name="role" label="Role" value={member.role} options={roleOptions} error={error} />
        <button type="submit" class="primary">
          Save
        </button>
      </SettingsForm>
      <p class="muted">
        Viewers have no keys: making someone a viewer revokes their keys permanently.
      </p>
    </>
  );
}
