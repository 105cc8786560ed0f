/** What the stages of routing read of a request, computed once. */
import type { RoutingInput } from "./contract/input.ts";
import { recognizeClient, type ClientProfile } from "./intent/client.ts";
import { requestRole, type RequestRole } from "./intent/request-role.ts";
import { toolTrajectory, type ToolTrajectory } from "./intent/tool-trajectory.ts";
import { viewRequest, type RoutingView } from "./request/request-view.ts";

/** A request with its summary, its client, its role and the course of its work. */
export interface RequestReading {
  readonly input: RoutingInput;
  readonly view: RoutingView;
  readonly client: ClientProfile;
  readonly role: RequestRole;
  readonly trajectory: ToolTrajectory;
}

/** Reads a request. */
export function readRoutingInput(input: RoutingInput): RequestReading {
  const { request } = input;
  const view = viewRequest(request);
  const client = recognizeClient(input);
  return {
    input,
    view,
    client,
    role: requestRole({ ...input, view, client }),
    trajectory: toolTrajectory(request.messages),
  };
}
