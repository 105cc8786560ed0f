/** What a request is for in the client that sends it. */

/**
 * `main`: the conversation with the user; `subagent`: a delegated task; `background`: titles, topics, summaries and
 * tests; `compaction`: the conversation is summarized to go on; `plan`: planning before work; `safety`: a client judges
 * what an agent is about to do.
 */
export const requestRoles = [
  "main",
  "subagent",
  "background",
  "compaction",
  "plan",
  "safety",
] as const;

export type RequestRoleName = (typeof requestRoles)[number];
