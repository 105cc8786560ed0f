/** The work of programs/work.mjs as the scripted provider leads it. */
import type { PlannedCall, Task } from "../agent.ts";
import { final } from "../tasks.ts";

/** Two calls at once, then one that depends on them. `prefix`: before the names of the tools. */
export function weatherTask(prefix = ""): Task {
  return {
    steps: [
      [weather(prefix, "Zürich"), weather(prefix, "東京")],
      [
        {
          tool: `${prefix}note`,
          input: { title: 'The "weather" 🌤', lines: ["Zürich: 21 °C", "東京: 21 °C"] },
          // Quotation marks are escaped where a result is a member of an object.
          result: /Kept The .{1,2}weather.{1,2} 🌤 with 2 lines/,
        },
      ],
    ],
    final,
  };
}

function weather(prefix: string, city: string): PlannedCall {
  return { tool: `${prefix}weather`, input: { city }, result: new RegExp(`Sunny in ${city}`) };
}

/** What the model says where a structured answer is asked for. */
export const structured = { city: "Zürich", degrees: 21.5, tags: ["sunny", "déjà vu"] };
