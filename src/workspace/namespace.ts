/** The namespace of objects that a workspace's own is in, and where a new one is put. */
import { type Jurisdiction, jurisdictionOf } from "../store/jurisdiction.ts";
import type { Env } from "../store/env.ts";

/** Location hints by continent, as `request.cf.continent` names them. */
const hints: Readonly<Record<string, DurableObjectLocationHint>> = {
  EU: "weur",
  NA: "enam",
  SA: "sam",
  AS: "apac",
  OC: "oc",
  AF: "afr",
};

const places: Readonly<Record<Jurisdiction, DurableObjectLocationHint>> = {
  eu: "weur",
  us: "enam",
};

/** Whether the runtime knows jurisdictions: workerd itself does not. Learnt at the first call. */
let knowsJurisdictions = true;

/** The stub of the workspace's object. Its id alone decides in which jurisdiction that is; `continent` where it begins. */
export function workspaceObject(
  { WORKSPACE }: Pick<Env, "WORKSPACE">,
  workspace: string,
  continent?: string,
): DurableObjectStub {
  const namespace = namespaceOf(WORKSPACE, workspace);
  const hint = hintFor(workspace, continent);
  const options = hint === undefined ? undefined : { locationHint: hint };
  return namespace.get(namespace.idFromName(workspace), options);
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
function hintFor(workspace: string, continent = ""): DurableObjectLocationHint | undefined {
  const jurisdiction = jurisdictionOf(workspace);
  return jurisdiction === null ? hints[continent] : places[jurisdiction];
}
