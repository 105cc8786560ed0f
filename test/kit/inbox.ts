/** A webhook's address at the scripted receiver, with what came there. Used in Node and inside workerd. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the project's receiver of webhooks (receiver-setup.ts). */
    receiver: string;
  }
}

/** What the receiver does with one delivery. */
export type InboxStep =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { does: "hang" | "die" | "refuse" | "drip" | "endless" };

/** A delivery as it came. */
export interface Received {
  /** Epoch ms. */
  at: number;
  headers: Record<string, string>;
  body: string;
}

export interface Inbox {
  url: string;
  /** What it does with the deliveries that follow; the last step stays. */
  does: (...steps: InboxStep[]) => Promise<void>;
  received: () => Promise<Received[]>;
}

/** An inbox of its own. */
export function openInbox(): Inbox {
  const url = `${inject("receiver")}/${crypto.randomUUID()}`;
  return {
    url,
    does: async (...steps) => {
      await fetch(url, { method: "PUT", body: JSON.stringify(steps) });
    },
    received: async () => (await (await fetch(url)).json()) as Received[],
  };
}
