/**
 * Names of tools on the wire. Providers allow `[A-Za-z0-9_-]` up to some length and most know no namespaces;
 * clients use longer and freer names. The table is made anew for every request from that request alone.
 */
import type { ToolNames } from "../core/format.ts";
import type { ModelRequest, Tool } from "../core/request.ts";

export interface NameRules {
  /** Longest wire name. */
  maxLength: number;
  /** Namespaces are unknown: `ns` and `name` become one name. */
  flatten: boolean;
  /** Freeform tools are unknown: they are offered as functions. */
  customAsFunction: boolean;
  /** The first character must be a letter or an underscore. */
  start?: "letter";
}

interface Named {
  name: string;
  namespace?: string;
  call: "function" | "custom";
}

/** Every name stands for itself. */
export const noNames: ToolNames = {
  toWire: (name) => name,
  fromWire: (wire) => ({ name: wire, call: "function" }),
};

/**
 * The injective table of this request's names: those of its tools and those of the calls in its history.
 * Names that are legal as they are stay so, whatever other names are turned into.
 */
export function toolNames(request: ModelRequest, rules: NameRules): ToolNames {
  const named = collectNames(request);
  const endpoints = new Map<string, string>();
  const back = new Map<string, Named>();
  const claim = (key: string, entry: Named, wire: string): void => {
    endpoints.set(key, wire);
    back.set(wire, entry);
  };
  for (const [key, entry] of named) {
    if (entry.namespace === undefined && isLegal(entry.name, rules)) claim(key, entry, entry.name);
  }
  for (const [key, entry] of named) {
    if (!endpoints.has(key))
      claim(key, entry, freeName(plainName(entry, rules), key, { rules, taken: back }));
  }
  return {
    toWire: (name, namespace) =>
      endpoints.get(keyOf(name, namespace)) ??
      cleaned(plainName({ name, ...(namespace !== undefined && { namespace }) }, rules), rules),
    fromWire: (wire) => back.get(wire) ?? { name: wire, call: "function" },
  };
}

/** The tools of the client's own by name: lists of allowed tools mean the first of a name, in whatever namespace. */
export function toolsByName({
  tools,
}: ModelRequest): ReadonlyMap<string, Exclude<Tool, { kind: "hosted" }>> {
  const named = new Map<string, Exclude<Tool, { kind: "hosted" }>>();
  for (const tool of tools)
    if (tool.kind !== "hosted" && !named.has(tool.name)) named.set(tool.name, tool);
  return named;
}

/** Declared tools first: what a name means now counts more than what it meant in the history. */
function collectNames(request: ModelRequest): Map<string, Named> {
  const named = new Map<string, Named>();
  const add = (name: string, namespace: string | undefined, call: "function" | "custom"): void => {
    const key = keyOf(name, namespace);
    if (!named.has(key))
      named.set(key, { name, call, ...(namespace !== undefined && { namespace }) });
  };
  for (const tool of request.tools)
    if (tool.kind !== "hosted") add(tool.name, tool.namespace, tool.kind);
  for (const message of request.messages) {
    for (const block of message.blocks)
      if (block.kind === "call") add(block.name, block.namespace, block.call);
  }
  return named;
}

function keyOf(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}\n${name}`;
}

function plainName(entry: { name: string; namespace?: string }, rules: NameRules): string {
  return rules.flatten && entry.namespace !== undefined
    ? `${entry.namespace}__${entry.name}`
    : entry.name;
}

function isLegal(name: string, rules: NameRules): boolean {
  return name.length <= rules.maxLength && /^[A-Za-z0-9_-]+$/.test(name) && startsWell(name, rules);
}

function startsWell(name: string, rules: NameRules): boolean {
  return rules.start === undefined || /^[A-Za-z_]/.test(name);
}

function freeName(
  plain: string,
  key: string,
  at: { rules: NameRules; taken: Map<string, Named> },
): string {
  const first = cleaned(plain, at.rules);
  if (!at.taken.has(first)) return first;
  for (let salt = 0; ; salt++) {
    const next = withHash(first, salt === 0 ? key : `${key}\n${salt}`, at.rules.maxLength);
    if (!at.taken.has(next)) return next;
  }
}

function cleaned(plain: string, rules: NameRules): string {
  let name = plain.replace(/[^A-Za-z0-9_-]/gu, "_");
  if (name === "") name = "tool";
  if (!startsWell(name, rules)) name = `_${name}`;
  return name.length <= rules.maxLength ? name : withHash(name, plain, rules.maxLength);
}

function withHash(name: string, source: string, maxLength: number): string {
  const hash = shortHash(source);
  return `${name.slice(0, maxLength - hash.length - 1)}_${hash}`;
}

/** Eight characters of a 53-bit hash (two multiplicative lanes): short, stable, no secret. */
export function shortHash(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36).padStart(8, "0").slice(-8);
}
