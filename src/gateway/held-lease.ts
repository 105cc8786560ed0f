/** The lease of one request, renewed by a timer until it is settled. */
import { renewInterval, type Workspaces } from "../workspace/client.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";

export interface Lease {
  id: string;
  settle(record: RequestRecord): Promise<void> | void;
  renew(): Promise<void> | void;
}

/** Renews at once from here on; whatever the request waits for, nothing else would. */
export function heldLease(workspaces: Workspaces, workspace: string, id: string): Lease {
  const renew = (): Promise<void> => workspaces.renew(workspace, id);
  const timer = setInterval(() => void renew().catch(() => undefined), renewInterval);
  return {
    id,
    renew,
    async settle(record) {
      clearInterval(timer);
      await workspaces.settle(workspace, record);
    },
  };
}
