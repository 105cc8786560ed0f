/** An SDK as the tests drive it: what npm installs, and what a program sees when it is used through the gateway. */
import type { WireFormat } from "../../kit/wire/said.ts";

export interface Sdk {
  /** Also the name of its program in `programs/`. */
  id: string;
  name: string;
  /** What npm installs, by exact version; the first is the SDK. */
  packages: Readonly<Record<string, string>>;
  /** Each way in which its program can use it. */
  ways: Readonly<Record<string, Way>>;
}

/** One class, provider or setting of an SDK that speaks one format. */
export interface Way {
  speaks: WireFormat;
  errors: SeenErrors;
  /** Things that it has no call for. */
  lacks?: readonly (Trialled | "abort")[];
  /** It sends no opaque reasoning back, whatever it was given. */
  forgets?: true;
  /** What a strict provider finds wrong with its own requests, where it is given them as they are. */
  ownFaults?: RegExp;
  /** What it calls the task's tools, where it adds something to their names. */
  toolPrefix?: string;
}

/** What a program can ask of an SDK's program; the action of `programs/<id>.mjs`. */
export type Trialled = "task" | "stream" | "structured" | "ask" | "embed";

/** What a program catches. */
export interface SeenErrors {
  /** A provider that always answers 500, and how often the SDK asks the gateway for one call. */
  failure: SeenError & { requests: number };
  /** A key that the gateway does not know. */
  key: SeenError;
  /** A model that no provider has. */
  model: SeenError;
}

export interface SeenError {
  /** The exception's class. */
  name: string;
  /** Of its message. */
  says: RegExp;
}

/** How an action of an SDK's program ended. */
export type Done =
  | { value: unknown }
  | { error: { name: string; status: unknown; message: string } };
