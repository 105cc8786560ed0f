/** Limits as people look at them: how much is used, how much is under way, when it starts anew. */
import type { LimitEntry } from "../../store/config.ts";
import type { LimitOwner, LimitView } from "../contract/reports.ts";
import type { LimitState } from "./budget.ts";
import { toDollars } from "./sums/cost.ts";
import { nodeLimitStates } from "./limit-states.ts";
import { keyNode, nodeOf, personNode, wholeWorkspace } from "./nodes.ts";
import { personLimitsOf, type WorkspaceState } from "./state.ts";

/** Every limit of the workspace, its harnesses, keys and persons. */
export function limitViews(state: WorkspaceState, now: number): LimitView[] {
  return limitedNodes(state).flatMap((node) => {
    const names = namesOf(state, ownerOf(node.name));
    return nodeLimitStates(state, node, now).map((limit) => ({ ...viewOf(limit), ...names }));
  });
}

function namesOf(
  { harnesses, keysById }: WorkspaceState,
  { node, id }: Required<LimitOwner>,
): Pick<LimitView, "name" | "key_harness"> {
  const key = node === "key" ? keysById.get(id) : undefined;
  if (key !== undefined) return { name: key.name, key_harness: key.harness };
  const harness = node === "harness" ? harnesses.get(id) : undefined;
  return harness === undefined ? {} : { name: harness.name };
}

/** Every node that has limits, by its name. */
export function limitedNodes(
  state: WorkspaceState,
): { name: string; limits: readonly LimitEntry[] }[] {
  const whole = { name: wholeWorkspace, limits: state.snapshot.config.limits ?? [] };
  const harnesses = Array.from(state.harnesses, ([name, { limits = [] }]) => ({ name, limits }));
  const keys = Array.from(state.keysById, ([id, { limits = [] }]) => ({
    name: keyNode(id),
    limits,
  }));
  const people = Array.from(personsOf(state), (id) => ({
    name: personNode(id),
    limits: personLimitsOf(state, id),
  }));
  return [whole, ...harnesses, ...keys, ...people].filter(({ limits }) => limits.length > 0);
}

/** Those with limits of their own, and those with keys, whom limits for everybody hold. */
function personsOf({ people, keys }: WorkspaceState): Set<string> {
  const limited = [...people].filter(([, { limits }]) => limits.length > 0).map(([id]) => id);
  const holders = Array.from(keys.values(), ({ person }) => person);
  return new Set([...limited, ...holders.filter((person) => person !== undefined)]);
}

function viewOf({ entry, name, spent, reserved, end }: LimitState): LimitView {
  const amount = (value: number): number => (entry.metric === "cost" ? toDollars(value) : value);
  return {
    ...entry,
    ...ownerOf(name),
    used: amount(spent),
    reserved: amount(reserved),
    resets_at: new Date(end).toISOString(),
  };
}

/** Whose limit it is, by the name of the node. */
export function ownerOf(name: string): Required<LimitOwner> {
  const { node, id } = nodeOf(name);
  return { harness: node === "harness" ? id : "", node, id };
}
