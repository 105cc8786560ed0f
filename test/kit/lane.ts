/** A test's own lane of the scripted provider. Speaks HTTP only, so it works inside workerd too. */
import { inject } from "vitest";
import type { Received, Script } from "./script.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the project's scripted provider (upstream-setup.ts). */
    upstream: string;
    /** `TEST_SCOPE`, for suites inside workerd (sample.ts has it for the others). */
    scope: "full" | "sample";
  }
}

export interface Lane {
  /** Base address for a provider entry, without a version: add `/v1` or what the format wants. */
  url: string;
  /** The answers to the next requests in turn; the last one stays. */
  answer(...scripts: Script[]): Promise<void>;
  /** Everything received so far, oldest first. */
  received(): Promise<Received[]>;
  /** Waits until the client of request `index` is gone. Throws when it stays longer than `patience` ms. */
  left(index: number, patience: number): Promise<Received>;
}

/** Opens a fresh lane on the project's scripted provider, or on the one at `upstream`. */
export function openLane(upstream: string = inject("upstream")): Lane {
  const name = crypto.randomUUID();
  const control = async (
    path: string,
    init?: { method: string; body: string },
  ): Promise<Received[]> => {
    const answer = await fetch(`${upstream}/control/${name}${path}`, init);
    // Written by upstream.ts, in the same words.
    return (await answer.json()) as Received[];
  };
  return {
    url: `${upstream}/lane/${name}`,
    async answer(...scripts) {
      await control("", { method: "PUT", body: JSON.stringify(scripts) });
    },
    received: () => control(""),
    async left(index, patience) {
      const received = (await control(`/left/${index}/${patience}`))[index];
      if (received?.leftAt === undefined) throw new Error(`the client of request ${index} stayed`);
      return received;
    },
  };
}
