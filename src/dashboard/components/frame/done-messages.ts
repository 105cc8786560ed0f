/** Messages after a redirect. The address holds only their name, so that nobody can put words on the page. */
export const doneMessages: Readonly<Record<string, string>> = {
  saved: "Saved. It applies from the next request.",
  created: "Created.",
  duplicated: "Duplicated without its keys. Create a key for the copy.",
  deleted: "Deleted.",
  feedback: "Answer saved.",
  "feedback-removed": "Answer removed.",
  forgotten: "Learning reset.",
  revoked: "Key revoked. Requests with it are now refused.",
  connected: "Provider added.",
  unverified: "Saved, although the test failed. Its models may not respond.",
  imported: "Configuration imported.",
  workspace: "Saved.",
  "workspace-deleted": "Workspace deleted.",
  plan: "Plan changed. It applies from the next request.",
  restored: "Version restored. It applies from the next request.",
  undone: "Undone. It applies from the next request.",
  redone: "Redone. It applies from the next request.",
  key: "Saved. It applies from the next request.",
  limit: "Saved. It applies from the next request.",
  "backup-restored": "Backup restored. The previous configuration is in History.",
  "limit-removed": "Limit removed.",
  "limit-undone": "Undone. The previous limits apply again.",
  role: "Role changed.",
  removed: "Member removed. Their keys are refused from now on.",
  uninvited: "Invitation revoked.",
  session: "Session ended.",
  "token-revoked": "Token revoked.",
  elsewhere: "All other sessions were signed out.",
  "webhook-deleted": "Webhook deleted. It gets no more events.",
};

/** Those of a change of the configuration, which can be undone. */
export const undoableDone: ReadonlySet<string> = new Set([
  "saved",
  "created",
  "duplicated",
  "deleted",
  "connected",
  "unverified",
  "imported",
  "restored",
  "undone",
  "redone",
]);

/** Those that say that something may not work. */
export const doubtfulDone: ReadonlySet<string> = new Set(["unverified"]);
