/**
 * The nodes whose budgets a request counts against, from the workspace to the person. Each has a name under which its
 * sums are kept: a harness its id, the others names that no harness can have.
 */
import type { LimitNode } from "../../policy/refusal.ts";

/** Totals of the whole workspace stand under this name. */
export const wholeWorkspace = "";

/** Whose request it is: every node's id but the workspace's own. */
export interface SpendPath {
  harness: string;
  /** Id of the key. */
  key?: string;
  /** Id of the key's person. */
  person?: string;
}

/** Name of a key's sums. */
export function keyNode(id: string): string {
  return `key:${id}`;
}

/** Name of a person's sums. */
export function personNode(id: string): string {
  return `person:${id}`;
}

/** The names of the path's nodes, from the workspace down. */
export function nodesOf({ harness, key, person }: SpendPath): string[] {
  const nodes = [wholeWorkspace, harness];
  if (key !== undefined) nodes.push(keyNode(key));
  if (person !== undefined) nodes.push(personNode(person));
  return nodes;
}

/** Whether the name is a key's or a person's: their sums are kept in a table of their own. */
export function hasOwnSums(name: string): boolean {
  return name.includes(":");
}

/** The name of that node of the path. */
export function nameOnPath(node: LimitNode, { harness, key, person }: SpendPath): string {
  switch (node) {
    case "workspace":
      return wholeWorkspace;
    case "harness":
      return harness;
    case "key":
      return keyNode(key ?? "");
    case "person":
      return personNode(person ?? "");
    default:
      return node satisfies never;
  }
}

/** The node that a name means. */
export function nodeOf(name: string): { node: LimitNode; id: string } {
  if (name === wholeWorkspace) return { node: "workspace", id: "" };
  if (name.startsWith("key:")) return { node: "key", id: name.slice("key:".length) };
  if (name.startsWith("person:")) return { node: "person", id: name.slice("person:".length) };
  return { node: "harness", id: name };
}
