/** An answer in the form of a schema: as text where the provider is asked for a format, as a call where for a tool. */
import { stream, whole, type Received, type Script } from "../../../kit/script.ts";
import { endpoints } from "../../../kit/wire/index.ts";
import type { Said, WireFormat } from "../../../kit/wire/said.ts";
import { inspectors } from "../../inspect/index.ts";
import type { Inspection, JsonObject } from "../../inspect/inspection.ts";
import { asksForStream } from "../../trials/answers.ts";
import type { SdkTrial } from "../bench.ts";
import { structured } from "../work.ts";
import { unlessValue } from "./judging.ts";

export const structuredTrial: SdkTrial = {
  name: "structured",
  needs: "structured",
  async run(bench) {
    const { format } = bench.tried;
    const problems: string[] = [];
    await bench.answer((request) => {
      // Providers get objects.
      const inspection = inspectors[format](JSON.parse(request.text) as JsonObject);
      problems.push(...inspection.problems);
      return written(request, format, answerTo(inspection));
    });
    const done = await bench.start("structured").ended;
    if (!bench.received.some(({ text }) => text.includes('"degrees"')))
      problems.push("the provider was not told the schema");
    return [...unlessValue(done, structured), ...problems];
  },
};

function answerTo({ tools, results }: Inspection): Said {
  const input = JSON.stringify(structured);
  const tool = tools.find(({ required }) => required.includes("degrees"));
  if (tool === undefined || results.length > 0) return { text: input };
  return { calls: [{ id: "call_1", name: tool.name, input }] };
}

function written(request: Received, format: WireFormat, said: Said): Script {
  const wire = endpoints[format];
  if (asksForStream(request, format)) return stream(wire.events(said, "m"), { pace: 1 });
  return whole(wire.whole(said, "m"));
}
