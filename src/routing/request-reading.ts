/** What the stages of routing read of a request, computed once. */
import type { RoutingInput } from "./contract/input.ts";
import type { WorkSigns } from "./contract/work.ts";
import { recognizeClient, type ClientProfile } from "./intent/client.ts";
import { requestRole, type RequestRole } from "./intent/request-role.ts";
import { viewRequest, type RoutingView } from "./request/request-view.ts";
import { workSigns } from "./work/work-signs.ts";

/** A request with its summary, its client, its role and the course of its work. */
export interface RequestReading {
  readonly input: RoutingInput;
  readonly view: RoutingView;
  readonly client: ClientProfile;
  readonly role: RequestRole;
  readonly work: WorkSigns;
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
    work: workSigns(request.messages, view),
  };
}
