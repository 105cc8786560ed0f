/** Messages after a redirect. The address holds only their name, so that nobody can put words on the page. */
export const doneMessages: Readonly<Record<string, string>> = {
  saved: "Saved. It applies from the next request.",
  created: "Created.",
  duplicated: "Duplicated without its keys. Create a key for the copy.",
  deleted: "Deleted.",
  forgotten: "Learning reset.",
  revoked: "Key revoked. Requests with it are now refused.",
  connected: "Provider added.",
  imported: "Configuration imported.",
  workspace: "Saved.",
  "workspace-deleted": "Workspace deleted.",
  plan: "Plan changed. It applies from the next request.",
  restored: "Version restored. It applies from the next request.",
  undone: "Undone. Keys that were revoked stay revoked.",
  key: "Saved. It applies from the next request.",
  limit: "Saved. It applies from the next request.",
  "limit-removed": "Limit removed.",
  role: "Role changed.",
  removed: "Member removed. Their keys are refused from now on.",
  uninvited: "Invitation revoked.",
  session: "Session ended.",
  "token-revoked": "Token revoked.",
  elsewhere: "All other sessions were signed out.",
  "webhook-deleted": "Webhook deleted. Nothing more is sent to it.",
};

/** Those of a change of the configuration, which can be undone. */
export const undoableDone: ReadonlySet<string> = new Set([
  "saved",
  "created",
  "duplicated",
  "deleted",
  "connected",
  "imported",
  "restored",
]);
