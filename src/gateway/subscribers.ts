/** Who is told when an exchange has ended. To add a sink: its file, and one entry here. */
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import type { SealedReasoning } from "../workspace/contract/sealed-reasoning.ts";
import type { Services } from "./services.ts";

export interface Ended {
  readonly workspace: string;
  readonly record: RequestRecord;
  /** What the workspace keeps of the answer for requests that go on from it. */
  readonly reasoning: SealedReasoning | undefined;
  /** The request was admitted: its slot and its budget are still held. */
  readonly held: boolean;
}

export interface EndSubscriber {
  tell(ended: Ended, services: Services): Promise<void>;
  /** The answer of an admitted request ends only when this is done; others work behind it. */
  readonly beforeAnswerEnds: boolean;
}

/** Frees the slot, books what was used and writes the row; a refused request has a row only. */
const bookInWorkspace: EndSubscriber = {
  async tell({ workspace, record, reasoning, held }, { workspaces, drain }) {
    await (held
      ? workspaces.settle(workspace, record, reasoning)
      : workspaces.log(workspace, record));
    await drain.saved();
  },
  beforeAnswerEnds: true,
};

export const endSubscribers: readonly EndSubscriber[] = [bookInWorkspace];
