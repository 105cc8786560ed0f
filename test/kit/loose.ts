/** Reading unknown JSON in tests without a type for every wire shape. */

export type Loose = Record<string, unknown>;

export function list(value: unknown): Loose[] {
  return Array.isArray(value)
    ? value.filter((one): one is Loose => typeof one === "object" && one !== null)
    : [];
}

export function object(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Loose)
    : {};
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
