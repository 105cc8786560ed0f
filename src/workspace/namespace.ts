/** The namespace of objects that a workspace's own is in, and where a new one is put. */
import { type Jurisdiction, jurisdictionOf } from "../store/jurisdiction.ts";
import type { Env } from "../store/env.ts";
import { Memory } from "./memory.ts";

/** Location hints by continent, as `request.cf.continent` names them. */
const hints: Readonly<Record<string, DurableObjectLocationHint>> = {
  EU: "weur",
  NA: "enam",
  SA: "sam",
  AS: "apac",
  OC: "oc",
  AF: "afr",
};

const jurisdictionHints: Readonly<Record<Jurisdiction, DurableObjectLocationHint>> = {
  eu: "weur",
  us: "enam",
};

/** Whether the runtime knows jurisdictions: workerd itself does not. Learnt at the first call. */
let knowsJurisdictions = true;

/** Where a workspace's object is. */
interface Place {
  readonly namespace: DurableObjectNamespace;
  readonly id: DurableObjectId;
  readonly hint: DurableObjectLocationHint | undefined;
}

/** By binding and workspace: a stub belongs to its request, but the id, a hash of the name, is the same for all. */
const known = new WeakMap<DurableObjectNamespace, Memory<Place>>();

/** The stub of the workspace's object. Its id alone decides in which jurisdiction that is; `continent` where it begins. */
export function workspaceObject(
  { WORKSPACE }: Pick<Env, "WORKSPACE">,
  workspace: string,
  continent?: string,
): DurableObjectStub {
  const { namespace, id, hint = hints[continent ?? ""] } = placeOf(WORKSPACE, workspace);
  return hint === undefined ? namespace.get(id) : namespace.get(id, { locationHint: hint });
}

function placeOf(all: DurableObjectNamespace, workspace: string): Place {
  let places = known.get(all);
  if (places === undefined) known.set(all, (places = new Memory(5000)));
  const remembered = places.get(workspace);
  if (remembered !== undefined) return remembered;
  const namespace = namespaceOf(all, workspace);
  const place = { namespace, id: namespace.idFromName(workspace), hint: hintOf(workspace) };
  places.set(workspace, place);
  return place;
}

function namespaceOf(all: DurableObjectNamespace, workspace: string): DurableObjectNamespace {
  const jurisdiction = jurisdictionOf(workspace);
  if (jurisdiction === null || !knowsJurisdictions) return all;
  try {
    // The types of this version of the runtime do not have `us` yet.
    return all.jurisdiction(jurisdiction as DurableObjectJurisdiction);
  } catch (error) {
    // On one machine all data lies in one place. No other fault may move a workspace to another object.
    if (!String(error).includes("not implemented in workerd")) throw error;
    knowsJurisdictions = false;
    return all;
  }
}

/** Only the first call of an object minds it; a jurisdiction goes before the place of the caller. */
function hintOf(workspace: string): DurableObjectLocationHint | undefined {
  const jurisdiction = jurisdictionOf(workspace);
  return jurisdiction === null ? undefined : jurisdictionHints[jurisdiction];
}
