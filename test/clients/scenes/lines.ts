/** What scripted models say on a stage. */
import { stream, whole, type Received, type Script } from "../../kit/script.ts";
import { endpoints } from "../../kit/wire/index.ts";
import type { Said, WireFormat } from "../../kit/wire/said.ts";
import { inspectors } from "../inspect/index.ts";
import type { Inspection, JsonObject } from "../inspect/inspection.ts";
import { asksForStream } from "../trials/answers.ts";
import type { Player } from "./stage.ts";

/** A request as a scripted model reads it. */
export interface Heard extends Inspection {
  body: JsonObject;
  request: Received;
  /** Whether it offers a tool of this name. */
  offers(tool: string): boolean;
}

/** A model of this format that says what follows from each request. */
export function model(format: WireFormat, say: (heard: Heard) => Said): Player {
  return {
    format,
    answer(request, body) {
      if (request.method === "GET") return whole({ object: "list", data: [] });
      const inspection = inspectors[format](body);
      const names = new Set(inspection.tools.map(({ name }) => name));
      const offers = (tool: string): boolean => names.has(tool);
      return spoken({ ...inspection, body, request, offers }, format, say);
    },
  };
}

function spoken(heard: Heard, format: WireFormat, say: (heard: Heard) => Said): Script {
  const wire = endpoints[format];
  const said = say(heard);
  return asksForStream(heard.request, format)
    ? stream(wire.events(said, "m"), { pace: 1 })
    : whole(wire.whole(said, "m"));
}

/** One call. */
export function calling(name: string, input: object, id = "call_1"): Said {
  return { calls: [{ id, name, input: JSON.stringify(input) }] };
}
