/**
 * Writes OTLP's messages in the binary encoding of protobuf. Our own, because the serializers that are published take
 * 34 KB of the Worker's size for it, and this one takes one. Pure.
 */
import type { OtlpMessage, OtlpValue } from "./messages.ts";

type Scalar = "string" | "hex" | "bool" | "enum" | "int64" | "fixed32" | "fixed64" | "double";
/** The number of a field, and what it holds; of a repeated one each. `packed`: one piece holds all. */
type Field = readonly [number: number, type: Scalar | (() => Schema), packed?: "packed"];
type Schema = Readonly<Record<string, Field>>;

// The numbers stand in opentelemetry-proto 1.5 (common, resource, trace, metrics).
const arrayValue: Schema = { values: [1, () => anyValue] };
const anyValue: Schema = {
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "int64"],
  doubleValue: [4, "double"],
  arrayValue: [5, () => arrayValue],
};
const keyValue: Schema = { key: [1, "string"], value: [2, () => anyValue] };
const attributes = (number: number): Field => [number, () => keyValue];
const scope: Schema = { name: [1, "string"], version: [2, "string"] };
const resource: Schema = { attributes: attributes(1) };
const status: Schema = { message: [2, "string"], code: [3, "enum"] };
const span: Schema = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  traceState: [3, "string"],
  parentSpanId: [4, "hex"],
  name: [5, "string"],
  kind: [6, "enum"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: attributes(9),
  status: [15, () => status],
  flags: [16, "fixed32"],
};
const point: Schema = {
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
};
const numberPoint: Schema = { ...point, attributes: attributes(7), asDouble: [4, "double"] };
const histogramPoint: Schema = {
  ...point,
  attributes: attributes(9),
  count: [4, "fixed64"],
  sum: [5, "double"],
  bucketCounts: [6, "fixed64", "packed"],
  explicitBounds: [7, "double", "packed"],
  min: [11, "double"],
  max: [12, "double"],
};
const series = (of: Schema): Schema => ({
  dataPoints: [1, () => of],
  aggregationTemporality: [2, "enum"],
  isMonotonic: [3, "bool"],
});
const sum = series(numberPoint);
const histogram = series(histogramPoint);
const metric: Schema = {
  name: [1, "string"],
  description: [2, "string"],
  unit: [3, "string"],
  sum: [7, () => sum],
  histogram: [9, () => histogram],
};
const content = (name: string, of: Schema): Schema => ({
  scope: [1, () => scope],
  [name]: [2, () => of],
  schemaUrl: [3, "string"],
});
const scopeSpans = content("spans", span);
const scopeMetrics = content("metrics", metric);
const inResource = (name: string, of: Schema): Schema => ({
  resource: [1, () => resource],
  [name]: [2, () => of],
  schemaUrl: [3, "string"],
});
const resourceSpans = inResource("scopeSpans", scopeSpans);
const resourceMetrics = inResource("scopeMetrics", scopeMetrics);
const exportRequest: Schema = {
  resourceSpans: [1, () => resourceSpans],
  resourceMetrics: [1, () => resourceMetrics],
};

/** The body of an export, of either signal. */
export function exportBytes(request: OtlpMessage): Uint8Array {
  const writer = new BackwardsWriter();
  writer.message(request, exportRequest);
  return writer.bytes();
}

/** A span, as a part of such a body. */
export function spanBytes(message: OtlpMessage): Uint8Array {
  const writer = new BackwardsWriter(spanRoom);
  writer.message(message, span);
  return writer.bytes();
}

/** Bytes that most spans fit into. */
const spanRoom = 2048;

const encoder = new TextEncoder();
const varint = 0;
const eight = 1;
const delimited = 2;
const four = 5;

/** Writes from the end: the length of a message is known when it stands there, and nothing is measured before. */
class BackwardsWriter {
  #buffer: Uint8Array;
  #view: DataView;
  /** Where what is written begins. */
  #at: number;

  /** `size`: bytes that there is room for at first. */
  constructor(size = 16 * 1024) {
    this.#buffer = new Uint8Array(size);
    this.#view = new DataView(this.#buffer.buffer);
    this.#at = size;
  }

  bytes(): Uint8Array {
    return this.#buffer.slice(this.#at);
  }

  message(message: OtlpMessage, schema: Schema): void {
    if (schema === keyValue) return this.#attribute(message);
    const names = Object.keys(message);
    for (let index = names.length - 1; index >= 0; index -= 1) {
      const name = names[index] ?? "";
      const field = schema[name];
      const value = message[name];
      if (field !== undefined && value !== undefined) this.#field(value, field);
    }
  }

  /** Most of what is written is attributes with a text: they are written without looking each member up. */
  #attribute({ key, value }: OtlpMessage): void {
    const end = this.#written;
    const { stringValue } = value as OtlpMessage;
    if (typeof stringValue === "string") this.#tag(1, this.#text(stringValue));
    else this.message(value as OtlpMessage, anyValue);
    this.#close(2, end);
    this.#tag(1, this.#text(String(key)));
  }

  #field(value: OtlpValue, field: Field): void {
    // Not taken apart as a list: this runs for every value, and an iterator would cost more than writing it.
    const number = field[0];
    const type = field[1];
    if (Array.isArray(value)) {
      const packed = field[2];
      const end = this.#written;
      for (let index = value.length - 1; index >= 0; index -= 1) {
        if (packed === undefined) this.#field(value[index], field);
        else this.#scalar(value[index], type as Scalar);
      }
      if (packed !== undefined) this.#close(number, end);
    } else if (value instanceof Uint8Array) this.#tag(number, this.#raw(value));
    else if (typeof type === "function") {
      const end = this.#written;
      this.message(value as OtlpMessage, type());
      this.#close(number, end);
    } else this.#tag(number, this.#scalar(value, type));
  }

  get #written(): number {
    return this.#buffer.length - this.#at;
  }

  /** The head of what was written since then. */
  #close(number: number, end: number): void {
    this.#varint(this.#written - end);
    this.#tag(number, delimited);
  }

  #tag(number: number, wireType: number): void {
    this.#varint(number * 8 + wireType);
  }

  /** Its wire type. */
  #scalar(value: OtlpValue, type: Scalar): number {
    switch (type) {
      case "string":
        return this.#text(String(value));
      case "hex":
        return this.#hex(String(value));
      case "int64":
        this.#int64(String(value));
        return varint;
      case "bool":
      case "enum":
        this.#varint(Number(value));
        return varint;
      case "fixed32":
        this.#room(4);
        this.#view.setUint32(this.#at, Number(value), true);
        return four;
      case "fixed64":
        this.#room(8);
        this.#view.setBigUint64(this.#at, BigInt(String(value)), true);
        return eight;
      case "double":
        this.#room(8);
        this.#view.setFloat64(this.#at, Number(value), true);
        return eight;
      default:
        return type satisfies never;
    }
  }

  #text(text: string): number {
    const { length } = text;
    this.#room(length);
    const buffer = this.#buffer;
    const at = this.#at;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 127) {
        this.#at += length;
        return this.#raw(encoder.encode(text));
      }
      buffer[at + index] = code;
    }
    this.#varint(length);
    return delimited;
  }

  #hex(text: string): number {
    const length = text.length / 2;
    this.#room(length);
    const [buffer, at] = [this.#buffer, this.#at];
    for (let index = 0; index < length; index += 1)
      buffer[at + index] = 16 * digit(text, 2 * index) + digit(text, 2 * index + 1);
    this.#varint(length);
    return delimited;
  }

  #raw(bytes: Uint8Array): number {
    this.#room(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#varint(bytes.length);
    return delimited;
  }

  /** Negative numbers are written as their two's complement. */
  #int64(text: string): void {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= 0) this.#varint(value);
    else this.#bigVarint(BigInt.asUintN(64, BigInt(text)));
  }

  #varint(value: number): void {
    if (value < 128) {
      this.#room(1);
      this.#buffer[this.#at] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
    this.#room(size);
    let rest = value;
    for (let at = this.#at; at < this.#at + size - 1; at += 1) {
      this.#buffer[at] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#at + size - 1] = rest;
  }

  /** Of ten bytes: only negative numbers come here. */
  #bigVarint(value: bigint): void {
    this.#room(10);
    for (let index = 0; index < 10; index += 1)
      this.#buffer[this.#at + index] =
        Number((value >> BigInt(7 * index)) & 127n) | (index < 9 ? 128 : 0);
  }

  /** Makes room in front; the buffer doubles. */
  #room(size: number): void {
    if (size > this.#at) {
      const used = this.#buffer.length - this.#at;
      const grown = new Uint8Array(Math.max(2 * this.#buffer.length, 2 * (used + size)));
      grown.set(this.#buffer.subarray(this.#at), grown.length - used);
      this.#buffer = grown;
      this.#view = new DataView(grown.buffer);
      this.#at = grown.length - used;
    }
    this.#at -= size;
  }
}

/** Of lower-case hexadecimal. */
function digit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
}
