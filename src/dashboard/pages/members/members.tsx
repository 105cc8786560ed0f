/** Routes of members: the list, one of them, removing, and invitations. */
import {
  createInvitation,
  listInvitations,
  revokeInvitation,
} from "../../../admin/routes/invitations.ts";
import {
  changeMember,
  listMembers,
  type MemberView,
  removeMember,
} from "../../../admin/routes/members.ts";
import { ownOrigin } from "../../../admin/shared/own-origin.ts";
import { readConfig } from "../../../admin/routes/config.ts";
import { listLimits } from "../../../admin/routes/limits.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { ConfirmPage } from "../../components/confirm-page.tsx";
import { field, type FieldError, formOf, tryChange } from "../../shared/forms.ts";
import { type RefusedLimit, registerLimits } from "../../shared/limit-changes.ts";
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
    kept: "apart",
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
  const invites = viewer.allows("POST", "/dashboard/members/invitations");
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
  app.post("/members/invitations", async (c) => {
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
  app.post("/members/invitations/:id/revoke", async (c) => {
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
  const [member, limits, config] = await Promise.all([
    memberOf(c),
    listLimits(viewer.scope),
    readConfig(viewer.scope),
  ]);
  return c.html(
    <MemberPage
      {...{ viewer, member, ...state }}
      limits={limits.filter(({ node, id }) => node === "person" && id === member.id)}
      timezone={config.timezone ?? "UTC"}
      edited={state.limit?.form.get("limit") ?? c.req.query("limit") ?? ""}
    />,
    (state.error ?? state.limit?.error) === undefined ? 200 : 422,
  );
}

async function saveRole(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
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
      text={`They leave this workspace at once. ${endingKeys(keys)} Their requests stay in the log.`}
      action={`${memberPath(c)}/remove`}
      button="Remove member"
      back={memberPath(c)}
    />,
  );
}

async function memberOf(c: PageContext): Promise<MemberView> {
  const members = await listMembers(c.var.viewer.scope);
  const found = members.find(({ id }) => id === parameter(c, "id"));
  if (found === undefined) throw notFound("Nobody of that id is a member.");
  return found;
}

function memberPath(c: PageContext): string {
  return `/dashboard/members/${encodeURIComponent(parameter(c, "id"))}`;
}
