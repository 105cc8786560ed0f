/** Prometheus's text format, version 0.0.4. Source: prometheus.io/docs/instrumenting/exposition_formats. */
import type { Family } from "./families.ts";

/** The media type of the format. */
export const textType = "text/plain; version=0.0.4; charset=utf-8";

/** Labels with their values, in braces; empty where there are none. */
export function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  const pairs = names.map((name, at) => `${name}="${escaped(values[at] ?? "")}"`);
  return `{${pairs.join(",")}}`;
}

/** What stands above a family's lines. */
export function headText({ name, help, type }: Family): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}`;
}

/** A value between quotes. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
