/** Who is signed in, in which workspace, and the switch to another one. */
import type { PersonScope } from "../../../workspace/accounts/tables/scope.ts";
import type { Visitor } from "../../shared/page-context.ts";

/** For the foot of the menu. */
export function SessionIdentity({ viewer }: { viewer: Visitor }) {
  const { access } = viewer;
  switch (access.kind) {
    case "person":
      return <PersonIdentity viewer={viewer} person={access} />;
    case "deployment":
      return <TokenIdentity label="Administrator" />;
    case "workspace":
    case "token":
      return <TokenIdentity label="Workspace token" />;
    default:
      return access satisfies never;
  }
}

function TokenIdentity({ label }: { label: string }) {
  return (
    <p class="who">
      <a href="/dashboard/account">{label}</a>
    </p>
  );
}

function PersonIdentity({ viewer, person: signedIn }: { viewer: Visitor; person: PersonScope }) {
  const { person, memberships } = signedIn;
  const current = memberships.find(({ workspace }) => workspace === viewer.scope?.workspace);
  return (
    <div class="who">
      <a href="/dashboard/account" class="anywhere">
        {person.email}
      </a>
      {current === undefined ? null : (
        <span class="sub anywhere">{`${current.name}, ${current.role}`}</span>
      )}
      <WorkspaceSwitch memberships={memberships} current={current?.workspace} />
    </div>
  );
}

interface SwitchProps {
  memberships: PersonScope["memberships"];
  current: string | undefined;
}

/** A fold with one button a workspace, so that it needs no script. */
function WorkspaceSwitch({ memberships, current }: SwitchProps) {
  const others = memberships.filter(({ workspace }) => workspace !== current);
  if (others.length === 0) return null;
  return (
    <details class="switch">
      <summary>Switch workspace</summary>
      <form method="post" action="/dashboard/workspace">
        {others.map(({ workspace, name, role }) => (
          <button type="submit" name="workspace" value={workspace} class="plain">
            <span class="anywhere">{name}</span> <span class="muted">{role}</span>
          </button>
        ))}
      </form>
    </details>
  );
}
