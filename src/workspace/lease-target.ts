/// <reference lib="esnext.disposable" />
/** The lease as the caller holds it: a stub, whose end the object sees even when the caller dies. */
import { RpcTarget } from "cloudflare:workers";
import type { Lease, RequestRecord } from "./contract/contract.ts";

export interface LeaseOwner {
  settle(id: string, record: RequestRecord): void;
  renew(id: string): void;
  /** The stub is gone; nothing to do if it was settled. */
  lost(id: string): void;
}

export class LeaseTarget extends RpcTarget implements Lease {
  readonly #id: string;
  readonly #owner: LeaseOwner;

  constructor(id: string, owner: LeaseOwner) {
    super();
    this.#id = id;
    this.#owner = owner;
  }

  get id(): string {
    return this.#id;
  }

  settle(record: RequestRecord): void {
    this.#owner.settle(this.#id, record);
  }

  renew(): void {
    this.#owner.renew(this.#id);
  }

  [Symbol.dispose](): void {
    this.#owner.lost(this.#id);
  }
}
