/** A finished span as plain data. */

/** A number that is a double even where it is whole. */
export interface Real {
  readonly real: number;
}

/** A number is a whole one. */
export type AttributeValue = string | number | boolean | Real | readonly string[];

/** An undefined value is left out. */
export type Attributes = readonly (readonly [name: string, value: AttributeValue | undefined])[];

/** One operation of a trace. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  /** The parent is a span of another service. */
  readonly remoteParent: boolean;
  readonly state?: string;
  readonly name: string;
  readonly kind: "server" | "client";
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** Its status is an error; what kind of one, an attribute says. */
  readonly failed: boolean;
}
