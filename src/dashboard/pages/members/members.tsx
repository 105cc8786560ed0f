/** Routes of members: the list, one of them, removing, and invitations. */
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from "../../../admin/routes/people/invitations.ts";
import {
  changeMember,
  listMembers,
  type MemberView,
  removeMember,
} from "../../../admin/routes/people/members.ts";
import { ownOrigin } from "../../../admin/shared/own-origin.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import { listBlocks, listLimits } from "../../../admin/routes/usage/limits.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import { field, type FieldError, formOf, tryChange } from "../../shared/forms.ts";
import { isLimitDone, type RefusedLimit, registerLimits } from "../../shared/limit-changes.ts";
import { lastLimitChange, type LimitChange } from "../../shared/limit-undo.ts";
import { type PageApp, type PageContext, parameter } from "../../shared/page-context.ts";
import { roleFrom } from "../../components/roles.tsx";
import { endingKeys, keysOf } from "./keys-of.ts";
import { MemberPage } from "./member-page.tsx";
import { MembersPage } from "./members-page.tsx";

/** Registers them. */
export function memberRoutes(app: PageApp): void {
  app.get("/members", (c) => showMembers(c, {}));
  invitationRoutes(app);
  app.get("/members/:id", (c) => showMember(c, {}));
  app.post("/members/:id/role", saveRole);
  app.get("/members/:id/remove", confirmRemoving);
  app.post("/members/:id/remove", async (c) => {
    const outcome = await tryChange(() => removeMember(c.var.viewer.scope, parameter(c, "id")));
    if (!outcome.ok) return await showMember(c, { error: outcome.error });
    return c.redirect("/dashboard/members?done=removed", 303);
  });
  registerLimits(app, "/members/:id/limits", {
    edit: async (c, change) => {
      const { id, limits = [] } = await memberOf(c);
      return await changeMember(c.var.viewer.scope, id, {
        limits: change(limits),
      });
    },
    show: (c, limit) => showMember(c, { limit }),
    page: memberPath,
    apart: (c) => ({ action: "limits.changed", id: parameter(c, "id") }),
  });
}

interface MembersState {
  link?: string;
  form?: URLSearchParams;
  error?: FieldError;
}

async function showMembers(c: PageContext, state: MembersState): Promise<Response> {
  const { viewer } = c.var;
  const { scope } = viewer;
  const invites = viewer.allows("POST", "/dashboard/invitations");
  const [members, invitations, limits, config] = await Promise.all([
    listMembers(scope),
    invites ? listInvitations(scope) : [],
    listLimits(scope),
    readConfig(scope),
  ]);
  return c.html(
    <MembersPage
      {...{ viewer, members, invitations, ...state }}
      limitsOf={(person) => limits.filter(({ node, id }) => node === "person" && id === person)}
      timezone={config.timezone ?? "UTC"}
    />,
    state.error === undefined ? 200 : 422,
  );
}

function invitationRoutes(app: PageApp): void {
  app.post("/invitations", async (c) => {
    const form = await formOf(c.req.raw);
    const email = field(form, "email");
    const outcome = await tryChange(() =>
      createInvitation(
        c.var.viewer.scope,
        {
          role: roleFrom(form),
          ...(email !== "" && { email }),
          expires_in: Number(field(form, "expires_in")),
        },
        ownOrigin(c.env, c.req.raw),
      ),
    );
    if (!outcome.ok) return await showMembers(c, { form, error: outcome.error });
    // Not a redirect: the link is shown in this response only.
    return await showMembers(c, { link: outcome.value.url });
  });
  app.post("/invitations/:id/revoke", async (c) => {
    await revokeInvitation(c.var.viewer.scope, parameter(c, "id"));
    return c.redirect("/dashboard/members?done=uninvited", 303);
  });
}

interface MemberState {
  error?: FieldError;
  limit?: RefusedLimit;
}

async function showMember(c: PageContext, state: MemberState): Promise<Response> {
  const { viewer } = c.var;
  const [member, limits, blocks, change, config] = await Promise.all([
    memberOf(c),
    listLimits(viewer.scope),
    listBlocks(viewer.scope),
    changeBefore(c),
    readConfig(viewer.scope),
  ]);
  return c.html(
    <MemberPage
      {...{ viewer, member, blocks, change, ...state }}
      limits={limits.filter(({ node, id }) => node === "person" && id === member.id)}
      timezone={config.timezone ?? "UTC"}
      edited={state.limit?.form.get("limit") ?? c.req.query("limit") ?? ""}
    />,
    (state.error ?? state.limit?.error) === undefined ? 200 : 422,
  );
}

/** The change of the person's limits that led here. */
async function changeBefore(c: PageContext): Promise<LimitChange | undefined> {
  const { viewer } = c.var;
  if (!isLimitDone(viewer.done)) return undefined;
  return await lastLimitChange(viewer.scope, { action: "limits.changed", id: parameter(c, "id") });
}

/** Keys that the member has and no longer would have: a viewer has none. */
async function keysLostBy(c: PageContext, role: string): Promise<string[]> {
  const member = await memberOf(c);
  if (role !== "viewer" || member.role === role) return [];
  return await keysOf(c.var.viewer.scope, member.id);
}

async function confirmViewer(c: PageContext, keys: readonly string[]): Promise<Response> {
  const { email } = await memberOf(c);
  return c.html(
    <ConfirmPage
      viewer={c.var.viewer}
      title={`Make ${email} a viewer?`}
      text={`A viewer has no keys. ${endingKeys(keys)} This can't be undone.`}
      action={`${memberPath(c)}/role`}
      button="Make viewer and revoke keys"
      back={memberPath(c)}
      fields={{ role: "viewer", confirmed: "yes" }}
    />,
  );
}

async function saveRole(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const losing = form.has("confirmed") ? [] : await keysLostBy(c, field(form, "role"));
  if (losing.length > 0) return await confirmViewer(c, losing);
  const outcome = await tryChange(() =>
    changeMember(c.var.viewer.scope, parameter(c, "id"), { role: roleFrom(form) }),
  );
  if (!outcome.ok) return await showMember(c, { error: outcome.error });
  return c.redirect(`${memberPath(c)}?done=role`, 303);
}

async function confirmRemoving(c: PageContext): Promise<Response> {
  const { viewer } = c.var;
  const member = await memberOf(c);
  const keys = await keysOf(viewer.scope, member.id);
  return c.html(
    <ConfirmPage
      viewer={viewer}
      title={`Remove ${member.email}?`}
      text={`They lose access immediately. ${endingKeys(keys)} Their requests stay in the log.`}
      action={`${memberPath(c)}/remove`}
      button="Remove member"
      back={memberPath(c)}
    />,
  );
}

async function memberOf(c: PageContext): Promise<MemberView> {
  const members = await listMembers(c.var.viewer.scope);
  const found = members.find(({ id }) => id === parameter(c, "id"));
  if (found === undefined) throw notFound("No member has this ID.");
  return found;
}

function memberPath(c: PageContext): string {
  return `/dashboard/members/${encodeURIComponent(parameter(c, "id"))}`;
}
