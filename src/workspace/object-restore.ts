/** How a restore takes place in the object's life: it ends the instance, and the next one goes on from the note that it left. */
import type { Env } from "../store/env.ts";
import type { RestoreReport } from "./contract/restore.ts";
import { publishAll } from "./publish.ts";
import { calling, directoryStub } from "./remote.ts";
import type { WorkspaceState } from "./rules/state.ts";
import type { WriteBehind } from "./storage/write-behind.ts";
import type { WorkspaceRestore } from "./backup/workspace-restore.ts";

/** The object, and its restore. */
export interface ObjectRestoreContext {
  readonly ctx: DurableObjectState;
  readonly env: Env;
  readonly state: WorkspaceState;
  readonly writes: WriteBehind;
  readonly restore: WorkspaceRestore;
}

/** Lets a restore take place. */
export class ObjectRestore {
  readonly #context: ObjectRestoreContext;
  /** Done when copies in KV are those of a restore that just took place. */
  #republished: Promise<void> = Promise.resolve();

  constructor(context: ObjectRestoreContext) {
    this.#context = context;
  }

  /** Goes on where the instance before was ended while a restore was under way, or by it. */
  resume(): void {
    const { ctx, env, restore } = this.#context;
    const { note } = restore;
    if (note === undefined) return;
    if (note.stage === "swapped") {
      this.#republished = this.#republish(note.gone ?? []);
      ctx.waitUntil(this.#republished);
      return;
    }
    void ctx.blockConcurrencyWhile(async () => {
      const stage = await calling(
        () => directoryStub(env),
        (directory) => directory.restoreStage(note.id),
      );
      if (stage === "unknown") restore.drop(note.id);
      if (stage === "decided") await this.#swap(note.id);
    });
  }

  /**
   * The restore takes place, and this instance ends with it: a call that meets that is made once more, and answered by the
   * next one. Undefined: there is no such restore.
   */
  async commit(id: string): Promise<RestoreReport | undefined> {
    const { ctx, restore } = this.#context;
    const { note } = restore;
    if (note?.id === id && note.stage === "ready")
      await ctx.blockConcurrencyWhile(() => this.#swap(id));
    await this.#republished;
    return note?.id === id ? note.report : undefined;
  }

  async #republish(gone: readonly string[]): Promise<void> {
    const { ctx, env, state, restore } = this.#context;
    await publishAll(ctx, env, { state, gone });
    restore.settled();
  }

  /** What is in memory belongs to the state before, and goes with it. */
  async #swap(id: string): Promise<void> {
    const { ctx, writes, restore } = this.#context;
    writes.flush();
    restore.commit(id);
    await ctx.storage.sync();
    writes.discard();
    ctx.abort("the workspace was restored");
  }
}
